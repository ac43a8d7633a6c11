/** Photos and results on the disk that the service shares: read and saved there, neither sent nor fetched. */
import {
  mkdir,
  readdir,
  readFile,
  realpath,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { programs } from '../../../../electron/programs.ts';
import { editIn, workOnPhotos } from '../../../../packages/command-line/src/photos/photo-run.ts';
import type { PhotoCommand } from '../../../../packages/command-line/src/photos/photo-commands.ts';
import type { Settings } from '../../../../packages/contract/src/settings/settings.ts';
import type { TaskList } from '../../../../packages/contract/src/task.ts';
import { asSharp } from '../../../support/images.ts';
import { subjectPhoto } from '../../../support/subjects.ts';
import { writeSmallJpeg } from '../../../support/pictures.ts';
import { startRealService, type RealService } from '../../../support/real-service.ts';
import { type TestService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { heard } from '../../../support/heard.ts';

function run(service: TestService, names: string[], more: Partial<PhotoCommand> = {}) {
  const work = { operation: 'upscale', body: { scale: 2 } } as const;
  const nameTemplate = '{name}-{scale}x.{ext}';
  const options = { work, outDir: undefined, nameTemplate, onConflict: 'number' } as const;
  const { dataDir } = service;
  const plain = { json: true, includeResults: false, access: 'grant', dataDir } as const;
  const running = { programUrl: import.meta.url, programs, signal: new AbortController().signal };
  return workOnPhotos({ names, options, ...plain, ...more }, running);
}

const settingsOf = async (service: TestService) =>
  (await service.call('GET', '/api/settings')).body as Settings;
const allTasks = async (service: TestService) =>
  ((await service.call('GET', '/api/tasks?limit=100')).body as TaskList).tasks;

describe('enlarger upscale beside a service of the same machine', { timeout: 240_000 }, () => {
  let service: RealService;
  /** How many tasks there were before a test. */
  let before = 0;
  beforeAll(async () => void (service = await startRealService('made with remover')));
  beforeEach(async () => {
    before = (await allTasks(service)).length;
  });
  afterAll(() => service.close());
  /** The test's own, the latest first. */
  const ownTasks = async () => {
    const tasks = await allTasks(service);
    return tasks.slice(0, tasks.length - before);
  };

  it('sends and fetches nothing, and grants what it names to its own tasks alone', async () => {
    const shots = await realpath(temporaryFolder());
    await mkdir(path.join(shots, 'day 2'));
    await writeSmallJpeg(path.join(shots, 'a.jpg'));
    await writeSmallJpeg(path.join(shots, 'day 2/b.JPG'), 31, 17);
    const taken = new Date('2020-01-02T03:04:05Z');
    await utimes(path.join(shots, 'a.jpg'), taken, taken);
    const { lines, warnings } = heard();
    expect(await run(service, [shots])).toBe(0);
    expect(await run(service, [path.join(shots, 'a.jpg')])).toBe(0);
    expect(warnings).toEqual([]);
    expect((await settingsOf(service)).grantedFolders).toEqual([service.folder]);
    // What was granted to those tasks is granted to no other one.
    const other = await service.call('POST', '/api/image-upscaler', {
      imageUrl: pathToFileURL(path.join(shots, 'a.jpg')).href,
    });
    expect(other.body).toMatchObject({ code: 'FORBIDDEN_PATH' });
    const tasks = await ownTasks();
    expect(tasks.map(({ source }) => source.kind)).toEqual(['file', 'file', 'file']);
    expect(await readdir(path.join(service.dataDir, 'uploads'))).toEqual([]);
    // Named, numbered and dated as before.
    expect((await readdir(shots, { recursive: true })).toSorted()).toEqual([
      ...['a-2x (2).jpg', 'a-2x.jpg', 'a.jpg', 'day 2', 'day 2/b-2x.JPG', 'day 2/b.JPG'],
    ]);
    expect((await stat(path.join(shots, 'a-2x.jpg'))).mtime).toEqual(taken);
    const outputs = lines.map((line) => (JSON.parse(line) as { output: string }).output);
    expect(outputs).toContain(path.join(shots, 'day 2/b-2x.JPG'));
  });

  it.skipIf(process.platform === 'win32')('names the result of a link as the link', async () => {
    const shots = await realpath(temporaryFolder());
    await mkdir(path.join(shots, 'originals'));
    await writeSmallJpeg(path.join(shots, 'originals/DSC_0001.jpg'));
    await symlink(path.join(shots, 'originals/DSC_0001.jpg'), path.join(shots, 'portrait.jpg'));
    const { lines } = heard();
    expect(await run(service, [path.join(shots, 'portrait.jpg')])).toBe(0);
    expect(await readdir(path.join(shots, 'originals'))).toEqual(['DSC_0001.jpg']);
    const output = path.join(shots, 'portrait-2x.jpg');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ output }]);
    expect(await readdir(shots)).toContain('portrait-2x.jpg');
  });

  it('sends the photos with --upload, and grants nothing', async () => {
    const shots = await realpath(temporaryFolder());
    await writeSmallJpeg(path.join(shots, 'a.jpg'));
    const { warnings } = heard();
    expect(await run(service, [shots], { access: 'upload' })).toBe(0);
    expect(warnings).toEqual([]);
    expect((await settingsOf(service)).grantedFolders).not.toContain(shots);
    expect((await ownTasks()).map(({ source }) => source.kind)).toEqual(['upload']);
    expect(await readdir(shots)).toContain('a-2x.jpg');
  });

  it('edits in place without sending the photo, and grants nothing but to its task', async () => {
    const granted = await realpath(service.folder);
    const other = await realpath(temporaryFolder());
    const files = [path.join(granted, 'a.jpg'), path.join(other, 'b.jpg')];
    for (const file of files) await writeSmallJpeg(file);
    const { warnings } = heard();
    const work = { operation: 'upscale', body: { scale: 2 } } as const;
    const nameTemplate = '{name}.{ext}';
    const options = { work, outDir: undefined, nameTemplate, onConflict: 'overwrite' } as const;
    const running = { programUrl: import.meta.url, programs, signal: new AbortController().signal };
    for (const file of files) {
      const edit = {
        names: [file],
        file,
        keepsOriginal: false,
        options,
        access: 'grant',
      } as const;
      const { dataDir } = service;
      const command = { ...edit, names: [file], json: true, includeResults: true, dataDir };
      expect(await editIn(command, running)).toBe(0);
      expect((await sharp(await readFile(file)).metadata()).width).toBe(96);
    }
    expect(warnings).toEqual([]);
    const tasks = await ownTasks();
    expect(tasks.map(({ source }) => source.kind).toReversed()).toEqual(['file', 'file']);
    expect((await settingsOf(service)).grantedFolders).toEqual([service.folder]);
  });

  it('reads a picture behind the subjects where it lies', async () => {
    const granted = await realpath(service.folder);
    const other = await realpath(temporaryFolder());
    const photo = path.join(granted, 'a.jpg');
    await asSharp(subjectPhoto(160, 120, { x: 40, y: 30, width: 60, height: 50 })).toFile(photo);
    heard();
    const behind: (string | undefined)[] = [];
    for (const folder of [granted, other]) {
      const file = path.join(folder, 'behind.jpg');
      await writeSmallJpeg(file);
      const body = { backgroundImage: pathToFileURL(file).href };
      const work = { operation: 'remove-bg', body } as const;
      const nameTemplate = '{name}-cutout.{ext}';
      const options = { work, outDir: undefined, nameTemplate, onConflict: 'number' } as const;
      expect(await run(service, [photo], { options })).toBe(0);
      behind.push((await ownTasks())[0]?.options.backgroundImage);
    }
    expect(behind).toEqual([
      pathToFileURL(path.join(granted, 'behind.jpg')).href,
      pathToFileURL(path.join(other, 'behind.jpg')).href,
    ]);
    expect((await settingsOf(service)).grantedFolders).toEqual([service.folder]);
  });

  it('skips a taken name without a word of failure, and runs nothing for it', async () => {
    const shots = await realpath(temporaryFolder());
    await writeSmallJpeg(path.join(shots, 'a.jpg'));
    heard();
    const skip = { onConflict: 'skip', nameTemplate: '{name} large.{ext}' } as const;
    const work = { operation: 'upscale', body: { longEdge: 90 } } as const;
    const options = { work, outDir: undefined, ...skip };
    expect(await run(service, [path.join(shots, 'a.jpg')], { options })).toBe(0);
    expect(await run(service, [path.join(shots, 'a.jpg')], { options })).toBe(0);
    expect((await readdir(shots)).toSorted()).toEqual(['a large.jpg', 'a.jpg']);
  });

  it("takes neither its photo's place nor another result's of the same run", async () => {
    const shots = await realpath(temporaryFolder());
    for (const name of ['a.jpg', 'b.jpg']) await writeSmallJpeg(path.join(shots, name));
    const photo = await readFile(path.join(shots, 'a.jpg'));
    const { lines } = heard();
    const work = { operation: 'upscale', body: { scale: 2 } } as const;
    const rule = { work, outDir: undefined, onConflict: 'overwrite' } as const;
    const inPlace = { ...rule, nameTemplate: '{name}.{ext}' };
    expect(await run(service, [path.join(shots, 'a.jpg')], { options: inPlace })).toBe(1);
    expect(lines.join()).toContain('enlarger edit-in');
    expect((await readFile(path.join(shots, 'a.jpg'))).equals(photo)).toBe(true);
    for (const onConflict of ['overwrite', 'skip'] as const) {
      const out = path.join(shots, onConflict);
      const options = { ...rule, nameTemplate: 'one.{ext}', outDir: out, onConflict };
      lines.length = 0;
      expect(await run(service, [shots], { options })).toBe(1);
      expect(await readdir(out)).toEqual(['one.jpg']);
      expect(lines.filter((line) => line.includes('would be called as that of'))).toHaveLength(1);
    }
  });

  it.skipIf(process.getuid?.() === 0)('says no for what cannot be read or written', async () => {
    const shots = await realpath(temporaryFolder());
    await writeSmallJpeg(path.join(shots, 'a.jpg'));
    await writeFile(path.join(shots, 'mine.jpg'), 'x', { mode: 0 });
    await mkdir(path.join(shots, 'shut'), { mode: 0o500 });
    const { lines } = heard();
    expect(await run(service, [path.join(shots, 'mine.jpg')])).toBe(1);
    const work = { operation: 'upscale', body: { scale: 2 } } as const;
    const outDir = path.join(shots, 'shut');
    const options = { work, outDir, nameTemplate: '{name}.{ext}', onConflict: 'number' } as const;
    expect(await run(service, [path.join(shots, 'a.jpg')], { options })).toBe(1);
    expect(lines.join()).toContain('you have no right to read it');
    expect(lines.join()).toContain('The result cannot be saved in');
    expect(await ownTasks()).toEqual([]);
  });
});
