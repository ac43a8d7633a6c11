import type { Log } from '../contract/log.ts';

/** JSON lines on standard error, as the headless service writes them. */
export const log: Log = (level, message, fields) => {
  const line = { time: new Date().toISOString(), level, message, ...fields };
  process.stderr.write(`${JSON.stringify(line)}\n`);
};
