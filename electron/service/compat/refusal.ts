/** What goes wrong while a family's request is answered, before it takes the family's own shape. */
import {
  EnlargerError,
  requestErrorStatus,
  taskErrorCodes,
  type ErrorCode,
  type RequestErrorCode,
  type TaskErrorCode,
} from '../../contract/errors.ts';
import { refusalOf } from '../http/errors.ts';
import type { FastifyReply } from 'fastify';

/** A field that cannot be taken as it is. */
export class FieldRefused extends EnlargerError {
  /** As the client named it. */
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

/** A field that must be there. */
export class FieldMissing extends FieldRefused {}

export interface CompatRefusal {
  status: number;
  code: ErrorCode;
  message: string;
  field?: string;
  /** The field is not there at all. */
  isMissing?: boolean;
}

/** A task that failed by its picture is the request's fault; by the machine, the service's. */
const taskStatus: Record<TaskErrorCode, number> = {
  SOURCE_UNREACHABLE: 400,
  SOURCE_REFUSED: 400,
  SOURCE_TOO_LARGE: 413,
  UNREADABLE_IMAGE: 400,
  IMAGE_TOO_LARGE: 400,
  NO_SUBJECT: 400,
  // Not one that clients try again by themselves.
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

/** A family of programs: which addresses are its service's, and how that service refuses. */
export interface Family {
  /** Whether an address (without its query) is one of the family's. */
  owns(path: string): boolean;
  refuse(reply: FastifyReply, refusal: CompatRefusal): FastifyReply;
}
