/** rembg's server speaks as FastAPI does: a detail, or a list of the fields that are wrong. */
import type { Family } from '../family.ts';

export const rembgFamily: Family = {
  owns: (path) => path === '/api/remove' || path === '/api',
  refuse(reply, { status, message, field, isMissing }) {
    const type = isMissing ? 'missing' : 'value_error';
    const detail =
      field === undefined ? message : [{ type, loc: [placeOf(field), field], msg: message }];

    /** Two fields stand in the address in a POST too. */
    function placeOf(name: string): 'query' | 'body' {
      return reply.request.method === 'GET' || name === 'bgc' || name === 'extras'
        ? 'query'
        : 'body';
    }
    return reply
      .code(field === undefined ? status : 422)
      .type('application/json; charset=utf-8')
      .send({ detail });
  },
};
