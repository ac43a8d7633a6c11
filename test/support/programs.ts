/**
 * The programs that tests start: bundles in one folder, as a build makes them (build-programs.ts), because a process
 * of some three hundred source files needs half a second of processor time more to start, and tests start hundreds.
 * Benches and the siege, which no test run prepares, start the sources.
 */
import path from 'node:path';
import { root } from './program.ts';

/** Two levels below the checkout, as out/main is, from which the programs find networks and page. */
export const programsDir = path.join(root, 'test-results/programs');

const programOf = (name: string, source: string) =>
  process.env.TEST_RUN === undefined
    ? path.join(root, source)
    : path.join(programsDir, `${name}.js`);

export const engineProgram = programOf('engine', 'electron/engine/main.ts');
export const cliProgram = programOf('cli', 'electron/cli.ts');
export const headlessProgram = programOf('headless', 'electron/headless.ts');
export const killedQueueProgram = programOf('killed-queue', 'test/service/tasks/killed-queue.ts');
export const smallInstallationProgram = programOf(
  'small-installation',
  'test/support/small-installation.ts',
);
