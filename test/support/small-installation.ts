/**
 * The command line over an installation whose one network is made for tests: its own words are the URL of such
 * an installation's program, and then those of the command. It ends as electron/cli.ts does.
 */
import { buildProgram } from '../../packages/command-line/src/program.ts';
import { withService } from '../../packages/command-line/src/connect.ts';
import { programs } from '../../electron/programs.ts';
import { editIn, workOnPhotos } from '../../packages/command-line/src/photos/photo-run.ts';

const [programUrl = '', ...words] = process.argv.slice(2);
const interrupted = new AbortController();
process.on('SIGINT', () => interrupted.abort(new Error('Interrupted.')));
const running = { programUrl, programs, signal: interrupted.signal };
const exitWith = async (code: Promise<number>) => {
  process.exitCode = await code;
};
const program = buildProgram('0.0.0', {
  programUrl,
  serve: () => programs.serve(),
  photos: (command) => exitWith(workOnPhotos(command, running)),
  editIn: (command) => exitWith(editIn(command, running)),
  ask: (options, work, use = {}) => exitWith(withService(options, running, work, use)),
});
try {
  await program.parseAsync(words, { from: 'user' });
} catch (error) {
  console.error(error);
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
}
