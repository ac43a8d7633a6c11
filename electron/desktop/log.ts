import type { Log } from '../contract/log.ts';
import { createLogFile, standardError } from '../service/log-file.ts';

let write = standardError;

/** What the application itself has to say: nobody sees its standard error where a desktop started it. */
export const log: Log = (level, message, fields) => write(level, message, fields);

/** From now on it stands in the log of the data folder, too, among what its service says. */
export function logInto(dataDir: string): void {
  write = createLogFile(dataDir, standardError);
}
