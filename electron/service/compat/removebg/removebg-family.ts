/** remove.bg's API 1.0: its errors are a list of titles, and a key that is not valid is 403. */
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Family } from '../family.ts';

/** As its documentation names them, where it has a name. */
const codes: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'auth_failed',
  NO_SUBJECT: 'unknown_foreground',
  UNREADABLE_IMAGE: 'invalid_file_type',
  IMAGE_TOO_LARGE: 'resolution_too_high',
  SOURCE_TOO_LARGE: 'file_size_too_large',
  PAYLOAD_TOO_LARGE: 'file_size_too_large',
  TOO_MANY_REQUESTS: 'rate_limit_exceeded',
};

export const removebgFamily: Family = {
  owns: (path) => path.startsWith('/v1.0/'),
  refuse(reply, { status, code, message, field, isMissing }) {
    const isKeyless = code === 'UNAUTHORIZED';
    const error = {
      title: isKeyless ? 'API Key invalid' : message,
      code: codes[code] ?? fieldCode(),
      ...(isKeyless && { detail: message }),
    };
    return reply
      .code(isKeyless ? 403 : status)
      .type('application/json; charset=utf-8')
      .send({ errors: [error] });

    function fieldCode(): string {
      if (isMissing) return 'missing_source';
      return field === undefined ? code.toLowerCase() : 'invalid_parameter';
    }
  },
};
