/** An import of node:http loads whatever it exports, a WebSocket client of 50 ms among it, into each program. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Name of an HTTP status, such as "Not Found". */
export const statusName = (status: number): string => STATUS_CODES[status] ?? 'Error';
