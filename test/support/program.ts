/** A program of ours as a child process, with what it said and how it ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** Resolves with the first line on standard output; rejects with what it said where it ends without one. */
  firstLine: Promise<string>;
  /** What it printed so far. */
  said: Readonly<Pick<Ended, 'stdout' | 'stderr'>>;
  ended: Promise<Ended>;
}

/** @param env default: that of the tests, but in English */
export function startProgram(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C.UTF-8' },
): Running {
  // A program of ours ends with its channel, so that nothing outlives a test run that is killed.
  const channel = file === process.execPath ? (['ipc'] as const) : [];
  const stdio = ['ignore', 'pipe', 'pipe', ...channel] as const;
  const child = spawn(file, args, { cwd: root, env, stdio: [...stdio] });
  const said = { stdout: '', stderr: '' };
  child.stderr?.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const firstLine = new Promise<string>((resolve, reject) => {
    child.once('close', () => reject(new Error(`It ended without a word:\n${said.stderr}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString();
      const [line, more] = said.stdout.split('\n');
      if (line !== undefined && more !== undefined) resolve(line);
    });
  });
  // Most programs end, and nobody waits for their first line.
  firstLine.catch(() => undefined);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return { child, firstLine, said, ended };
}
