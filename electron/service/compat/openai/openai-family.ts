/** OpenAI's API: an error is an object with a type, a parameter and a code. */
import type { Family } from '../family.ts';
import type { CompatRefusal } from '../refusal.ts';

export const openaiFamily: Family = {
  owns: (path) => path.startsWith('/v1/') || path.startsWith('/api/v1/'),
  refuse(reply, refusal) {
    const { status, message, field = null } = refusal;
    const type = status >= 500 ? 'server_error' : 'invalid_request_error';
    return reply
      .code(status)
      .type('application/json; charset=utf-8')
      .send({ error: { message, type, param: field, code: codeOf(refusal) } });
  },
};

function codeOf({ code, field }: CompatRefusal): string {
  if (code === 'UNAUTHORIZED') return 'invalid_api_key';
  if (code === 'NOT_FOUND') return field === 'model' ? 'model_not_found' : 'not_found';
  return code === 'INVALID_REQUEST' && field !== undefined ? 'invalid_value' : code.toLowerCase();
}
