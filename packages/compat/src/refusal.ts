/** Describes what went wrong with a family's request, before the family gives the refusal its own shape. */
import {
  EnlargerError,
  requestErrorStatus,
  taskErrorCodes,
  type ErrorCode,
  type RequestErrorCode,
  type TaskErrorCode,
} from '../../../electron/contract/errors.ts';
import { refusalOf } from '../../../electron/service/http/errors.ts';
import type { FastifyReply } from 'fastify';

/** A field has a value that cannot be accepted. */
export class FieldRefused extends EnlargerError {
  /** The name is the one that the client used. */
  readonly field: string;

  constructor(
    field: string,
    message: string,
    code: 'INVALID_REQUEST' | 'NOT_FOUND' = 'INVALID_REQUEST',
  ) {
    super(code, message);
    this.field = field;
  }
}

/** A required field is missing. */
export class FieldMissing extends FieldRefused {}

export interface CompatRefusal {
  status: number;
  code: ErrorCode;
  message: string;
  field?: string;
  /** The field is missing altogether. */
  isMissing?: boolean;
}

/** A task that fails by its picture is the client's fault (4xx); by the machine, the service's (5xx). */
const taskStatus: Record<TaskErrorCode, number> = {
  SOURCE_UNREACHABLE: 400,
  SOURCE_REFUSED: 400,
  SOURCE_TOO_LARGE: 413,
  UNREADABLE_IMAGE: 400,
  IMAGE_TOO_LARGE: 400,
  NO_SUBJECT: 400,
  // Clients do not repeat a request by themselves after a 400.
  CANCELLED: 400,
  MODEL_UNAVAILABLE: 503,
  OUT_OF_MEMORY: 500,
  INVALID_OUTPUT: 500,
  STORAGE_FULL: 507,
  CANNOT_WRITE: 500,
  ENGINE_CRASHED: 500,
  INTERNAL: 500,
};

export function compatRefusalOf(thrown: unknown): CompatRefusal {
  if (thrown instanceof FieldRefused) {
    const { field } = thrown;
    return { ...refusalBy(thrown), field, isMissing: thrown instanceof FieldMissing };
  }
  if (thrown instanceof EnlargerError) return refusalBy(thrown);
  const { code, message } = refusalOf(thrown);
  return { status: requestErrorStatus[code], code, message };
}

const refusalBy = ({ code, message }: EnlargerError) => ({ status: statusOf(code), code, message });

function statusOf(code: ErrorCode): number {
  if (isTaskCode(code)) return taskStatus[code];
  return requestErrorStatus[code];
}

function isTaskCode(code: ErrorCode): code is TaskErrorCode & Exclude<ErrorCode, RequestErrorCode> {
  const known: readonly string[] = taskErrorCodes;
  return known.includes(code);
}

/** A family is the API of one other service: its addresses, and the shape of its refusals. */
export interface Family {
  /** Tells whether a path without its query belongs to the family. */
  owns(path: string): boolean;
  refuse(reply: FastifyReply, refusal: CompatRefusal): FastifyReply;
}
