/**
 * The program `enlarger`, a client of the API. Exit codes: 0 success, 1 a picture or the command failed, 2
 * wrong usage, 130 interrupted, after cancelling its own tasks.
 */
import { CommanderError, InvalidArgumentError } from 'commander';
import { withService, type Programs, type Running } from './connect.ts';
import { editIn, workOnPhotos } from './photos/photo-run.ts';
import { buildProgram } from './program.ts';
import { messageOf } from './error-message.ts';
import { keepCompiledCode } from '../../files/src/code-cache.ts';
import { findInstallation } from '../../../electron/installation.ts';
import { onParentGone } from '../../../electron/parent-gone.ts';
import { t } from './text.ts';
import { reportWaiting } from './waiting.ts';

/** @param programUrl URL of the program, by which the parts of the installation are found */
export async function runCommand(programUrl: string, programs: Programs): Promise<void> {
  const interrupted = new AbortController();
  // Terminal and npm may both send the signal; an AbortController fires once.
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => interrupted.abort(new Error(t('Interrupted.'))));

  onParentGone(() => interrupted.abort(new Error(t('The program that started this one is gone.'))));

  // A reader that closes the pipe, as in `| head`, must not stop the work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // With --json the output is the purpose, so the command ends with its reader.
  if (process.argv.includes('--json'))
    process.stdout.on('error', () =>
      interrupted.abort(new Error(t('The reader of the output is gone.'))),
    );

  const { signal } = interrupted;
  const running: Running = { programUrl, programs, signal };
  const exitWith = async (code: Promise<number>) => {
    const ended = await code;
    // A command that lasts until Ctrl+C is well ended by it.
    process.exitCode = signal.aborted && ended !== 0 ? 130 : ended;
  };
  const serving: { isServing: boolean } = { isServing: false };
  const { version } = findInstallation(programUrl);
  const program = buildProgram(version, {
    programUrl,
    serve: () => {
      serving.isServing = true;
      return programs.serve();
    },
    photos: (command) => exitWith(workOnPhotos(command, running)),
    editIn: (command) => exitWith(editIn(command, running)),
    ask: (options, work, use = {}) =>
      exitWith(
        withService(
          options,
          running,
          async (connected, ending) => {
            if (connected.isOwn && use.isShared === true) await reportWaiting(connected.client);
            return work(connected, ending);
          },
          use,
        ),
      ),
  });

  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error, signal);
  }
  if (!serving.isServing) await endProcess();
}

/** Ends without taking apart what the system frees with the process, once what was printed has arrived. */
async function endProcess(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise((resolve) => stream.write('', resolve));
  keepCompiledCode();
  process.exit();
}

function exitCodeOf(error: unknown, interrupted: AbortSignal): number {
  if (interrupted.aborted) return 130;
  // Commander does not print errors that a command throws.
  if (error instanceof InvalidArgumentError)
    console.error(t('error: {message}', { message: error.message }));
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(messageOf(error));
  return 1;
}
