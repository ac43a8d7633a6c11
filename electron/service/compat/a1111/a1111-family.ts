/** AUTOMATIC1111's web UI: FastAPI, with its own table of what went wrong. */
import { STATUS_CODES } from 'node:http';
import type { Family } from '../family.ts';

export const a1111Family: Family = {
  owns: (path) => path.startsWith('/sdapi/'),
  refuse(reply, { status, message, field }) {
    const errors = field === undefined ? '' : field;
    return reply
      .code(field !== undefined && status === 400 ? 422 : status)
      .type('application/json; charset=utf-8')
      .send({ error: STATUS_CODES[status] ?? 'Error', detail: message, body: '', errors });
  },
};
