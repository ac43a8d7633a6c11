/** A family of programs: which addresses are its service's, and how that service refuses. */
import type { FastifyReply } from 'fastify';
import type { CompatRefusal } from './refusal.ts';

export interface Family {
  /** Whether an address (without its query) is one of the family's. */
  owns(path: string): boolean;
  refuse(reply: FastifyReply, refusal: CompatRefusal): FastifyReply;
}
