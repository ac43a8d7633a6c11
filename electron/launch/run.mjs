/** Runs a built program in this process, or in a child process whose exit code becomes this one's. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs out/main/<name>.js in this process, so that signals and standard streams reach it directly.
 * @param {string} root @param {string} name @param {string[]} args
 */
export async function runHere(root, name, args) {
  const file = programFile(root, name);
  process.argv = [process.argv[0] ?? 'node', file, ...args];
  await import(pathToFileURL(file).href);
}

/** @param {string} root @param {string} name */
export function programFile(root, name) {
  return path.join(root, 'out/main', `${name}.js`);
}

/**
 * Runs another program, passes signals on to it, and ends with its exit code. By the channel it notices that this
 * process is gone.
 * @param {string} file @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 */
export async function runWith(file, args, env = process.env) {
  process.exitCode = await ended(
    spawn(file, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env }),
  );
}

/**
 * Waits for the exit code of a child, which is 128 plus the signal's number for a child that a signal ended.
 * Until then this process outlives SIGINT and SIGTERM and passes both on. In a terminal it does not pass
 * SIGINT on, because the terminal sends it to the child, too, and a second one would end the child while it
 * closes.
 * @param {import('node:child_process').ChildProcess} child @returns {Promise<number>}
 */
export function ended(child) {
  const passOn = () => child.kill('SIGTERM');
  const interrupted = () => process.stdin.isTTY || child.kill('SIGINT');
  process.on('SIGTERM', passOn);
  process.on('SIGINT', interrupted);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', passOn);
      process.off('SIGINT', interrupted);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
