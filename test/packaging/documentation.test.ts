/** The documentation's links lead somewhere, and the things that it names exist. */
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/program.ts';

const pages = globSync(
  ['*.md', 'docs/*.md', 'models/*.md', 'resources/licences/*.md', 'client/*.md'],
  {
    cwd: root,
  },
);
const read = (file: string) => readFile(path.join(root, file), 'utf8');

/** Removes code, in which brackets are no links. */
const prose = (text: string) => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

/** Makes a heading's anchor as GitHub does. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

describe('the documentation', () => {
  it.each(pages)('%s links to pages, parts of pages and pictures that are there', async (page) => {
    const links = [...prose(await read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, to = '']) => to,
    );
    for (const link of links.filter((to) => !/^[a-z]+:/.test(to))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      expect([link, existsSync(path.join(root, target))]).toEqual([link, true]);
      if (anchor === undefined) continue;
      const headings = [...(await read(target)).matchAll(/^#+ (.*)$/gm)];
      expect(headings.map(([, heading = '']) => anchorOf(heading))).toContain(anchor);
    }
  });

  it('is whole as a site: what its pages link to is on it, but for what is named as left out', async () => {
    const config = await read('docs/.vitepress/config.mjs');
    const patterns = /globSync\(\s*\[([^\]]+)\]/.exec(config)?.[1] ?? '';
    const globs = [...patterns.matchAll(/'([^']+)'/g)].map(([, pattern = '']) => pattern);
    const onSite = globSync(globs, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
    expect(onSite).toContain('docs/install.md');
    const missing: string[] = [];
    for (const page of onSite.filter((file) => file.endsWith('.md')))
      for (const [, link = ''] of prose(await read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
        const [file = ''] = link.split('#');
        const target = path.posix.join(path.posix.dirname(page), file);
        const isLeftOut = /packaging\/|LICENSE$/.test(target);
        if (file === '' || /^[a-z]+:/.test(link) || isLeftOut) continue;
        if (!onSite.includes(target)) missing.push(`${page}: ${link}`);
      }
    expect(missing).toEqual([]);
  });

  it('names files that are there where it says how each system is met', async () => {
    const text = await read('docs/systems.md');
    const named = [...text.matchAll(/`([\w./-]+\.(?:test\.ts|ts|mjs|nsh|plist|yml))`/g)];
    expect(named.length).toBeGreaterThan(40);
    const known = globSync(
      [
        'electron/**/*.{ts,mjs}',
        'packaging/*.ts',
        'test/**/*.ts',
        'resources/*',
        '.github/workflows/*',
        '*.yml',
      ],
      { cwd: root },
    ).map((file) => file.replaceAll('\\', '/'));
    for (const [, file = ''] of named)
      expect([file, known.some((one) => `/${one}`.endsWith(`/${file}`))]).toEqual([file, true]);
  });

  it('shows the features of the window, and each picture of them', async () => {
    const text = await read('docs/window.md');
    for (const picture of globSync('*', { cwd: path.join(root, 'docs/pictures') }))
      expect(text).toContain(`](pictures/${picture})`);
    for (const section of text.split(/^## /m).slice(1))
      expect(section).toMatch(/\]\((pictures|\.\.\/resources)\//);
  });
});
