/**
 * GET /api/compat: the address for programs written for other services. GET /api/compatibility: a page with
 * the supported calls.
 */
import { CompatState } from '../../../packages/contract/src/settings/settings.ts';
import { answers, ref, type Api } from '../../../packages/http/src/index.ts';
import type { FastifyReply } from 'fastify';

export interface CompatDeps {
  compat: {
    state(): Promise<CompatState>;
    /** Sends an HTML page with the calls and parameters supported per family. */
    sendDocumentation(reply: FastifyReply): FastifyReply;
  };
}

export function compatRoutes(app: Api, { compat }: CompatDeps): void {
  app.get(
    '/api/compat',
    {
      config: { administers: true },
      schema: {
        tags: ['settings'],
        summary: 'Get the state of the port for programs written for other services',
        description: 'The settings compatOn, compatPort and compatKeyless change it.',
        response: answers({ 200: ref(CompatState) }),
      },
    },
    () => compat.state(),
  );

  app.get('/api/compatibility', { config: { open: true }, schema: { hide: true } }, (_, reply) =>
    compat.sendDocumentation(reply),
  );
}
