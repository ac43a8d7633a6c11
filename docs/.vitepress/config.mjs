/** The documentation as a site: `npm ci && npm run build` in docs/. Its pages are readable on GitHub as they are. */
import { cpSync, globSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defineConfig } from 'vitepress';

const page = (text, link) => ({ text, link });

// The pages of the project lie in the site as they do in the repository, so that links are the same in both. They
// are copied to where the site's own packages are found.
const root = path.resolve(import.meta.dirname, '../..');
const pages = path.join(root, 'docs/node_modules/.pages');
rmSync(pages, { recursive: true, force: true });
for (const name of globSync(
  [
    '*.md',
    'docs/{*.md,decisions/*.md,pictures/*.webp}',
    'packages/*/README.md',
    'models/*.md',
    'resources/{*.jpg,licences/*.md}',
  ],
  { cwd: root },
))
  cpSync(path.join(root, name), path.join(pages, name));

export default defineConfig({
  title: 'Enlarger',
  description: 'Enlarges photos and cuts out their subjects on your own machine, offline',
  // GitHub serves a repository's site below its name.
  base: process.env.DOCUMENTATION_BASE ?? '/',
  srcDir: pages,
  rewrites: { 'docs/README.md': 'docs/index.md' },
  ignoreDeadLinks: [/packaging\//, /LICENSE$/],
  buildEnd: ({ outDir }) =>
    writeFile(
      path.join(outDir, 'index.html'),
      '<meta http-equiv="refresh" content="0; url=docs/">\n',
    ),
  outDir: path.join(root, 'test-results/documentation'),
  cleanUrls: true,
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      {
        text: 'Using it',
        items: [
          page('Install', '/docs/install'),
          page('The window', '/docs/window'),
          page('From your photo editor', '/docs/editors'),
          page('What stays on your machine', '/docs/privacy'),
          page('When something does not work', '/docs/troubleshooting'),
          page('Questions', '/docs/questions'),
        ],
      },
      {
        text: 'Programs',
        items: [
          page('Where they are', '/docs/programs'),
          page('Command line', '/docs/command-line'),
          page('Calls', '/docs/api'),
          page('Repeats and limits', '/docs/limits'),
          page('Formats', '/docs/formats'),
          page('Several machines', '/docs/pool'),
          page('Programs for other services', '/docs/compatibility'),
        ],
      },
      {
        text: 'Models',
        items: [
          page('Bring, get, choose', '/docs/models'),
          ...['Natural', 'Faithful', 'Restore', 'Cutout'].map((name) =>
            page(name, `/models/${name.toLowerCase()}`),
          ),
        ],
      },
      {
        text: 'For those who make it',
        items: [
          page('Each system', '/docs/systems'),
          page('Measured', '/docs/measured'),
          page('Promises and tests', '/docs/promises'),
          page('Translating', '/docs/translating'),
          page('The first release', '/docs/first-release'),
        ],
      },
    ],
  },
});
