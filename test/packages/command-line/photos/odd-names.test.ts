/** Photos of odd names, from a folder and one by one, over real processes and the real engine. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeInstallation, upscaler } from '../../../support/made-service.ts';
import { writeSmallJpeg } from '../../../support/pictures.ts';
import { startProgram, type Ended, type Running } from '../../../support/program.ts';
import { smallInstallationProgram } from '../../../support/programs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const isWindows = process.platform === 'win32';
/** Names with their results' stems. */
const names: readonly (readonly [string, string])[] = [
  ['می\u200cخواهم.jpg', 'می\u200cخواهم-2x'],
  ['👨‍👩‍👧.jpg', '👨‍👩‍👧-2x'],
  ['\u200fשלום.jpg', '_שלום-2x'],
  ['e\u0301te\u0301.jpg', 'été-2x'],
  [`${'海'.repeat(78)}.jpg`, `${'海'.repeat(77)}-2x`],
  ['[1] {a,b} !(c).jpg', '[1] {a,b} !(c)-2x'],
  [`it's $(a) \`b\`;.jpg`, `it's $(a) \`b\`;-2x`],
  ['-rf.jpg', '-rf-2x'],
  ['100%25 #1&a=b+c.jpg', '100%25 #1&a=b+c-2x'],
  ...(isWindows
    ? []
    : ([
        ['back\\slash.jpg', 'back_slash-2x'],
        ['"a"?.jpg', '_a__-2x'],
        ['a\nb.jpg', 'a_b-2x'],
      ] as const)),
];
const results = names.map(([, stem]) => `${stem}.jpg`).toSorted();

const folder = temporaryFolder();
const at = (...parts: string[]) => path.join(folder, ...parts);
let service: Running;
let run: (...words: string[]) => Promise<Ended>;

beforeAll(async () => {
  await mkdir(at('shots'));
  for (const [name] of names) await writeSmallJpeg(at('shots', name));
  const installation = await makeInstallation([upscaler('Natural')], at('data'));
  const start = (...words: string[]) =>
    startProgram(process.execPath, [
      ...[smallInstallationProgram, installation],
      ...[...words, '--data-dir', at('data')],
    ]);
  service = start('serve', '--port', '0');
  await service.firstLine;
  run = (...words) => start(...words).ended;
});

afterAll(async () => {
  service.child.kill('SIGTERM');
  await service.ended;
});

describe('photos of odd names', { timeout: 240_000 }, () => {
  it('are enlarged from a folder, with the files that phones and systems leave beside them', async () => {
    const others = [
      '._-rf.jpg',
      '.trashed-1700000000-IMG_1.jpg',
      '.DS_Store',
      'Thumbs.db',
      'IMG_1.AAE',
      'IMG_1.jpg.json',
      ...(isWindows ? [] : ['-rf.jpg:Zone.Identifier']),
    ];
    for (const name of others) await writeFile(at('shots', name), 'no picture');
    const { code, stderr } = await run('upscale', at('shots'), '--out', at('folder'));
    expect(stderr).toMatch(/^\d files that are no pictures were left out: [^\n]*$/m);
    expect(code).toBe(0);
    expect((await readdir(at('folder'))).toSorted()).toEqual(results);
  });

  it('are enlarged where each is named', async () => {
    const files = names.map(([name]) => at('shots', name));
    const { code } = await run('upscale', ...files, '--out', at('named'));
    expect(code).toBe(0);
    expect((await readdir(at('named'))).toSorted()).toEqual(results);
  });

  it.skipIf(process.platform !== 'linux')(
    'that are no text fail with a sentence, and the others are enlarged',
    async () => {
      const latin = Buffer.concat([
        Buffer.from(at('shots/K')),
        Buffer.from([0xf6]),
        Buffer.from('ln.jpg'),
      ]);
      await writeFile(latin, 'a picture');
      const { code, stderr } = await run('upscale', at('shots'), '--out', at('out'));
      expect(stderr).toMatch(/K\ufffdln\.jpg: Its name is not UTF-8/);
      expect(code).toBe(1);
      expect((await readdir(at('out'))).toSorted()).toEqual(results);
    },
  );
});
