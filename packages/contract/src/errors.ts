/** Stable codes of all failures. Codes never change their meaning; messages are for people and may change. */

/** Codes of failed requests, with their HTTP status. */
export const requestErrorStatus = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN_ORIGIN: 403,
  FORBIDDEN_HOST: 403,
  FORBIDDEN_PATH: 403,
  FORBIDDEN_KEY: 403,
  FORBIDDEN_LINK: 403,
  NOT_FOUND: 404,
  TASK_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  RESULT_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  MODEL_REFUSED: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  QUEUE_FULL: 503,
  QUEUE_PAUSED: 503,
  MODEL_UNAVAILABLE: 503,
  SHUTTING_DOWN: 503,
  STORAGE_FULL: 507,
} as const;

export type RequestErrorCode = keyof typeof requestErrorStatus;

/** Codes of FAILED tasks. */
export const taskErrorCodes = [
  'SOURCE_UNREACHABLE',
  'SOURCE_REFUSED',
  'SOURCE_TOO_LARGE',
  'UNREADABLE_IMAGE',
  'IMAGE_TOO_LARGE',
  'MODEL_UNAVAILABLE',
  'NO_SUBJECT',
  'OUT_OF_MEMORY',
  'INVALID_OUTPUT',
  'STORAGE_FULL',
  'CANNOT_WRITE',
  'CANCELLED',
  'ENGINE_CRASHED',
  'INTERNAL',
] as const;

export type TaskErrorCode = (typeof taskErrorCodes)[number];

export type ErrorCode = RequestErrorCode | TaskErrorCode;

/** A failure with a stable code, and a sentence for people: expected, found, what to do. */
export class EnlargerError extends Error {
  override readonly name = 'EnlargerError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The thrown error's code if it is a task's, else INTERNAL. */
export function taskErrorCodeOf(thrown: unknown): TaskErrorCode {
  if (!(thrown instanceof EnlargerError)) return 'INTERNAL';
  const code = thrown.code;
  return taskErrorCodes.find((known) => known === code) ?? 'INTERNAL';
}

/** Error of a cancelled task. */
export const taskCancelled = (cause?: unknown): EnlargerError =>
  new EnlargerError('CANCELLED', 'The task was cancelled.', { cause });
