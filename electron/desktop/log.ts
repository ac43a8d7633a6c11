import type { Log } from '../../packages/contract/src/log.ts';
import { createLogFile, standardError } from '../service/log-file.ts';

let write = standardError;

/** The application's log. Started by a desktop, its standard error is not visible. */
export const log: Log = (level, message, fields) => write(level, message, fields);

/** Logs uncaught errors; Electron then shows them, and the process ends. */
export function logUncaught(): void {
  process.on('uncaughtExceptionMonitor', (error, origin) =>
    log('error', `${origin}: ${error.message}`, { stack: error.stack ?? '' }),
  );
}

/** Also writes to the log of the data folder, shared with the service. */
export function logInto(dataDir: string): void {
  write = createLogFile(dataDir, standardError);
}
