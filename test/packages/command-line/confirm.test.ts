/** A question on a terminal. */
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { confirm } from '../../../packages/command-line/src/confirm.ts';
import { loadLanguage } from '../../../packages/command-line/src/text.ts';

afterEach(() => loadLanguage('en'));

async function answer(words: string, { signal } = new AbortController()) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answered = confirm('Fetch them?', signal, { input, output });
  input.end(words);
  const isYes = await answered;
  expect(String(output.read())).toMatch(/^Fetch them\? /);
  return isYes;
}

it.each([
  ['\n', true],
  ['Y\n', true],
  ['yes\n', true],
  ['n\n', false],
  ['what\n', false],
  ['', false],
])('%j is %s', async (words, isYes) => {
  expect(await answer(words)).toBe(isYes);
});

it('is answered in the language of the terminal, too', async () => {
  expect(await answer('j\n')).toBe(false);
  await loadLanguage('de');
  expect(await answer('j\n')).toBe(true);
});

it('ends with Ctrl+C', async () => {
  const interrupted = new AbortController();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answered = confirm('Fetch them?', interrupted.signal, { input, output });
  interrupted.abort(new Error('Interrupted.'));
  await expect(answered).rejects.toThrow();
});
