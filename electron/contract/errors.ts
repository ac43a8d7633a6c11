/**
 * Every way in which a call or a task can fail has a stable code. Codes never change their
 * meaning; messages are for people, and may change.
 */

/** A request can be answered with these codes; each has its HTTP status. */
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
  MODEL_UNAVAILABLE: 503,
  SHUTTING_DOWN: 503,
  STORAGE_FULL: 507,
} as const;

export type RequestErrorCode = keyof typeof requestErrorStatus;

/** These codes say why a task ended as FAILED. */
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

/**
 * A person or a program is told about this failure: it has a stable code, and a sentence
 * that says what was expected, what was found and what to do.
 */
export class EnlargerError extends Error {
  override readonly name = 'EnlargerError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Answers the code that a task fails with for any thrown value: its own, if it is one of a task's, or INTERNAL. */
export function taskErrorCodeOf(thrown: unknown): TaskErrorCode {
  if (!(thrown instanceof EnlargerError)) return 'INTERNAL';
  const code = thrown.code;
  return taskErrorCodes.find((known) => known === code) ?? 'INTERNAL';
}

/** Makes the error with which a task, or a part of its work, ends when it is cancelled. */
export const taskCancelled = (cause?: unknown): EnlargerError =>
  new EnlargerError('CANCELLED', 'The task was cancelled.', { cause });
