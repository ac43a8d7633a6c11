/** rembg's server speaks as FastAPI does: a detail, or a list of the fields that are wrong. */
import type { Family } from '../family.ts';

export const rembgFamily: Family = {
  owns: (path) => path === '/api/remove' || path === '/api',
  refuse(reply, { status, message, field }) {
    const detail =
      field === undefined ? message : [{ type: 'value_error', loc: [field], msg: message }];
    return reply
      .code(field === undefined ? status : 422)
      .type('application/json; charset=utf-8')
      .send({ detail });
  },
};
