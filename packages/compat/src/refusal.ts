/** Errors of a request, before a family gives them its own shape. */
import {
  EnlargerError,
  requestErrorStatus,
  taskErrorCodes,
  type ErrorCode,
  type RequestErrorCode,
  type TaskErrorCode,
} from '../../contract/src/errors.ts';
import { refusalOf } from '../../http/src/index.ts';
import type { FastifyReply } from 'fastify';

/** A field with an unacceptable value. */
export class FieldRefused extends EnlargerError {
  /** Name used by the client. */
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
  /** True if the field is absent. */
  isMissing?: boolean;
}

/** Failures due to the picture are the client's (4xx), those of the machine the service's (5xx). */
const taskStatus: Record<TaskErrorCode, number> = {
  SOURCE_UNREACHABLE: 400,
  SOURCE_REFUSED: 400,
  SOURCE_TOO_LARGE: 413,
  UNREADABLE_IMAGE: 400,
  IMAGE_TOO_LARGE: 400,
  NO_SUBJECT: 400,
  // Clients do not repeat requests after a 400.
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

/** The API of another service: its addresses and the shape of its errors. */
export interface Family {
  /** True if the path (without query) belongs to the family. */
  owns(path: string): boolean;
  refuse(reply: FastifyReply, refusal: CompatRefusal): FastifyReply;
}
