/** docs/promises.md: each promise stands on its page, and the test that it names exists. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/program.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Without links, emphasis and line breaks. */
const plain = (text: string) =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .trim();

interface Promised {
  page: string;
  promise: string;
  tests: { file: string; title: string }[];
}

const table = read('docs/promises.md');
const promises: Promised[] = table.split(/^## /m).flatMap((section) => {
  const [page = '', ...lines] = section.split('\n');
  return lines.flatMap((line) => {
    const [, promise = '', tests = ''] = /^\| (.*) \| (`.*) \|$/.exec(line) ?? [];
    if (promise === '') return [];
    const named = tests.split('<br>').map((one) => {
      const [, name = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(one) ?? [];
      return { file: `test/${name}.test.ts`, title };
    });
    return [{ page, promise: plain(promise.replaceAll('\\|', '|')), tests: named }];
  });
});

/** Sentences of a page's text, without headings, code, tables and pictures. */
function sentencesOf(page: string): string[] {
  const text = page
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^(#|!\[|\||<!--).*$/gm, '')
    .replaceAll(/^- /gm, '');
  return text
    .split(/\n+/)
    .flatMap((line) => plain(line).split(/(?<=[.!?](?:["')])?) (?=[A-Z`])/))
    .filter((sentence) => /[a-z]/.test(sentence));
}

describe('docs/promises.md', () => {
  it('names tests that exist, by file and title', () => {
    expect(promises.length).toBeGreaterThan(150);
    for (const { promise, tests } of promises)
      for (const { file, title } of tests) {
        expect(existsSync(path.join(root, file)), `${promise}: ${file}`).toBe(true);
        const source = read(file).replaceAll("\\'", "'");
        expect([promise, title, title !== '' && source.includes(title)]).toEqual([
          promise,
          title,
          true,
        ]);
      }
  });

  it('has promises that still stand on their pages', () => {
    const gone = promises.filter(({ page, promise }) => !plain(read(page)).includes(promise));
    expect(gone.map(({ page, promise }) => `${page}: ${promise}`)).toEqual([]);
  });

  it('has each sentence of the README, or says that it promises nothing', () => {
    const [, listed = ''] = table.split('## Sentences of the README that promise nothing');
    const others = plain(listed);
    const own = promises.filter(({ page }) => page === 'README.md').map(({ promise }) => promise);
    const missing = sentencesOf(read('README.md')).filter(
      (sentence) =>
        !others.includes(sentence) &&
        !own.some((promise) => sentence.includes(promise) || promise.includes(sentence)),
    );
    expect(missing).toEqual([]);
  });
});
