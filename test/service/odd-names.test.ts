/**
 * Photos of names that phones, other scripts and other systems give: uploaded, read from disk, saved into a folder,
 * downloaded and watched. The names of results are planned by contract/naming.ts.
 */
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UploadReceipt } from '../../packages/contract/src/settings/settings.ts';
import type { Preset } from '../../packages/contract/src/settings/preset.ts';
import type { TaskList } from '../../packages/contract/src/task.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What is odd, the photo's name, and the result's stem. */
const names: readonly [what: string, name: string, stem: string][] = [
  ['joiners of Persian', 'می\u200cخواهم.jpg', 'می\u200cخواهم-4x'],
  ['a family of three', '👨‍👩‍👧.jpg', '👨‍👩‍👧-4x'],
  ['a flag of tag characters', '🏴󠁧󠁢󠁥󠁮󠁧󠁿.jpg', '🏴󠁧󠁢󠁥󠁮󠁧󠁿-4x'],
  ['a mark from right to left', '\u200fשלום.jpg', '_שלום-4x'],
  ['an override of direction', 'a\u202egpj.jpg', 'a_gpj-4x'],
  ['decomposed letters', 'e\u0301te\u0301.jpg', 'été-4x'],
  ['240 bytes', `${'x'.repeat(236)}.jpg`, `${'x'.repeat(233)}-4x`],
  ['240 bytes of Chinese', `${'海'.repeat(78)}.jpg`, `${'海'.repeat(77)}-4x`],
  ['255 bytes', `${'y'.repeat(251)}.jpg`, `${'y'.repeat(233)}-4x`],
  ['brackets and braces', '[1] (2) {name}.jpg', '[1] (2) {name}-4x'],
  ['quotes of a shell', `it's $(a) \`b\`;.jpg`, `it's $(a) \`b\`;-4x`],
  ['a leading dash', '-rf.jpg', '-rf-4x'],
  ['signs of addresses', '100%25 #1&a=b+c.jpg', '100%25 #1&a=b+c-4x'],
  ['spaces at both ends', ' a .jpg', 'a -4x'],
  ['a device of Windows', 'CON.jpg', 'CON-4x'],
];
/** Names that only some systems allow. */
const unixNames: typeof names = [
  ['a backslash', 'back\\slash.jpg', 'back_slash-4x'],
  ['two quotes', '"a".jpg', '_a_-4x'],
  ['a question', 'why?.jpg', 'why_-4x'],
  ['a colon', 'at 10:30.jpg', 'at 10_30-4x'],
  ['a line break', 'a\nb.jpg', 'a_b-4x'],
];
const onDisk = process.platform === 'win32' ? names : [...names, ...unixNames];

type Folders = Record<'photos' | 'out', string>;

/** Two folders of a test's own, in one that the service may use. */
async function makeFolders(within: string): Promise<Folders> {
  const folder = await mkdtemp(path.join(within, 'test-'));
  const made = { photos: path.join(folder, 'photos'), out: path.join(folder, 'out') };
  for (const each of Object.values(made)) await mkdir(each);
  return made;
}

/** The name that a browser gives the download. */
function downloadName(headers: Headers): string {
  const disposition = headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encoded === undefined
    ? (/filename="([^"]*)"/.exec(disposition)?.[1] ?? '')
    : decodeURIComponent(encoded);
}

async function expectResult(service: TestService, taskId: string, stem: string, out: string) {
  await service.until(taskId, 'FINISHED');
  const { savedTo } = await service.record(taskId);
  expect(savedTo).toBe(path.join(out, `${stem}.jpg`));
  expect(await readdir(out)).toEqual([`${stem}.jpg`]);
  const { imageUrl = '' } = await service.task(taskId);
  const { headers, status } = await service.call('GET', imageUrl);
  expect([status, downloadName(headers)]).toEqual([200, `${stem}.jpg`]);
}

describe('a photo with an odd name', () => {
  let service: TestService;
  let allowed: string;
  beforeAll(async () => {
    const root = realpathSync(temporaryFolder());
    allowed = path.join(root, 'allowed');
    await mkdir(allowed);
    const watchTimes = { quietMs: 60, checkEveryMs: 60, listEveryMs: 600_000 };
    const dataDir = path.join(root, 'data');
    service = await startTestService(dataDir, { allowFolders: [allowed], watchTimes });
  });
  afterAll(() => service.close());

  it.each(names)('%s: is uploaded as %j, saved and downloaded', async (_, name, stem) => {
    const { out } = await makeFolders(allowed);
    const route = `/api/uploads?name=${encodeURIComponent(name)}`;
    const bytes = Buffer.from('a picture');
    const type = { 'content-type': 'application/octet-stream' };
    const { imageUrl } = (await service.call('POST', route, bytes, type)).body as UploadReceipt;
    const taskId = await service.submit(imageUrl, { scale: 4, saveTo: out });
    await expectResult(service, taskId, stem, out);
    expect((await service.record(taskId)).source).toMatchObject({ name: name.trim() });
  });

  it.each(names)('%s: is uploaded in a form as %j', async (_, name, stem) => {
    const { out } = await makeFolders(allowed);
    const form = new FormData();
    form.append('file', new Blob(['a picture']), name);
    const { imageUrl } = (await service.call('POST', '/api/uploads', form)).body as UploadReceipt;
    const taskId = await service.submit(imageUrl, { scale: 4, saveTo: out });
    await expectResult(service, taskId, stem, out);
  });

  it.each(onDisk)('%s: is read from disk as %j', async (_, name, stem) => {
    const { photos, out } = await makeFolders(allowed);
    const file = path.join(photos, name);
    await writeFile(file, 'a picture');
    const options = { scale: 4, saveTo: out };
    const taskId = await service.submit(pathToFileURL(file).href, options);
    await expectResult(service, taskId, stem, out);
    expect((await service.record(taskId)).source).toMatchObject({ kind: 'file', name });
  });

  it('is found in a watched folder, whichever it is', async () => {
    const { photos, out } = await makeFolders(allowed);
    for (const [, name] of onDisk) await writeFile(path.join(photos, name), 'a picture');
    const preset = { name: 'All', operation: 'upscale', options: { scale: 4 } };
    const { id } = (await service.call('POST', '/api/presets', preset)).body as Preset;
    const watch = { folder: photos, saveTo: out, presetId: id };
    expect(await service.call('POST', '/api/watches', watch)).toMatchObject({ status: 200 });
    const savedAs = async () => {
      const { tasks } = (await service.call('GET', '/api/tasks?limit=100')).body as TaskList;
      const files = tasks.map(({ savedTo = '' }) => path.parse(savedTo));
      return files.flatMap(({ dir, base }) => (dir === out ? base : [])).sort();
    };
    const expected = onDisk.map(([, , stem]) => `${stem}.jpg`).sort();
    await expect.poll(savedAs, { timeout: 30_000 }).toEqual(expected);
    expect((await readdir(out)).sort()).toEqual(expected);
  });
});
