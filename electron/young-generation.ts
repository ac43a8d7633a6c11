/** Bounds the memory that V8 takes for short-lived objects. */
import v8 from 'node:v8';

/**
 * Keeps V8's young generation at its size so far, a few megabytes. Under load it grows to 100 MB and stays there, for
 * no shorter requests (`npm run bench:requests`). `--max-semi-space-size`, which says the same, is read before the
 * first line of a program.
 */
export function limitYoungGeneration(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}
