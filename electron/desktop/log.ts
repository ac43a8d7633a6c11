import type { Log } from '../contract/log.ts';
import { createLogFile, standardError } from '../service/log-file.ts';

let write = standardError;

/** Logs what the application itself says. Nobody sees its standard error where a desktop started it. */
export const log: Log = (level, message, fields) => write(level, message, fields);

/** Logs what nothing catches; Electron then shows it and the process ends as it did before. */
export function logUncaught(): void {
  process.on('uncaughtExceptionMonitor', (error, origin) =>
    log('error', `${origin}: ${error.message}`, { stack: error.stack ?? '' }),
  );
}

/** From now on also writes into the log of the data folder, where the service logs too. */
export function logInto(dataDir: string): void {
  write = createLogFile(dataDir, standardError);
}
