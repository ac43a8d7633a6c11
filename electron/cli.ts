/** Entry of the program `enlarger`: all but this file is loaded with the code cache. */
import { enableCodeCache } from '../packages/files/src/code-cache.ts';
import { programs } from './programs.ts';

enableCodeCache(process.argv.slice(2));
const { runCommandLine } = await import('../packages/command-line/src/index.ts');
await runCommandLine(import.meta.url, programs);
