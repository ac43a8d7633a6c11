/** Starts the command line. Its commands are loaded after the language, in which they are declared. */
import type { Programs } from './connect.ts';
import { loadLanguage } from './text.ts';

/** @param programUrl URL of the program, by which the parts of the installation are found */
export async function runCommandLine(programUrl: string, programs: Programs): Promise<void> {
  await loadLanguage();
  const { runCommand } = await import('./command-line.ts');
  await runCommand(programUrl, programs);
}
