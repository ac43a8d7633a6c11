/** Asks a person on a terminal before something large begins. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { t } from './text.ts';

interface Terminal {
  input: Readable;
  output: Writable;
}

/** Whether somebody is there who sees a question and can answer it. */
export const isAnswerable = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** True for yes, and for Enter alone; false where the input ends. It rejects when `signal` fires. */
export async function confirm(
  question: string,
  signal: AbortSignal,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  // Not as a terminal: Ctrl+C must stay a signal.
  const lines = createInterface({ input, terminal: false });
  output.write(`${question} `);
  const ended = new AbortController();
  const within = { signal: AbortSignal.any([signal, ended.signal]) };
  try {
    const answer = await Promise.race([
      once(lines, 'line', within).then(([line]) => String(line).trim().toLowerCase()),
      once(lines, 'close', within).then(() => undefined),
    ]);
    if (answer === undefined) output.write('\n');
    const yes = t('y').toLowerCase();
    return answer !== undefined && ['', 'y', 'yes', yes].includes(answer);
  } finally {
    ended.abort();
    lines.close();
  }
}
