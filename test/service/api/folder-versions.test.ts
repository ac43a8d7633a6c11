/** Of each photo the folder of results holds the version that counts, as a person accepts and rejects. */
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Mark, TaskRecord } from '../../../packages/contract/src/task.ts';
import { openService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const plainName = 'beach-2x.jpg';

class Fixture {
  readonly service: TestService;
  readonly out: string;
  readonly imageUrl: string;

  constructor(service: TestService, out: string, imageUrl: string) {
    this.service = service;
    this.out = out;
    this.imageUrl = imageUrl;
  }

  /** Submits one more version of the photo; resolves when it is finished and nothing waits to be put in. */
  async version(fields: object = {}): Promise<string> {
    const taskId = await this.service.submit(this.imageUrl, {
      ...{ scale: 2, saveTo: this.out, oneVersion: true },
      ...fields,
    });
    await this.service.until(taskId, 'FINISHED');
    await this.mark(taskId, null);
    return taskId;
  }

  async mark(taskId: string, mark: Mark | null): Promise<TaskRecord> {
    const { body, status, text } = await this.service.call('PUT', `/api/task/${taskId}/mark`, {
      mark,
    });
    expect(status, text).toBe(200);
    return body as TaskRecord;
  }

  async save(taskId: string, fields: object = { oneVersion: true }): Promise<string | undefined> {
    const saved = await this.service.call('POST', `/api/task/${taskId}/save`, {
      ...{ saveTo: this.out, ...fields },
    });
    expect(saved.status, saved.text).toBe(200);
    return (saved.body as { savedTo?: string }).savedTo;
  }

  /** Names of files with the task whose result each is. */
  async held(): Promise<Record<string, string>> {
    const names = (await readdir(this.out)).sort();
    const texts = names.map((name) => readFile(path.join(this.out, name), 'utf8'));
    const held = (await Promise.all(texts)).map((text) => text.replace(/^image of (.+)-1$/, '$1'));
    return Object.fromEntries(names.map((name, at) => [name, held[at] ?? '']));
  }

  plainPath(): string {
    return path.join(this.out, plainName);
  }
}

async function open(): Promise<Fixture> {
  const root = await realpath(temporaryFolder());
  const out = path.join(root, 'out');
  await mkdir(out);
  const photo = path.join(root, 'beach.jpg');
  await writeFile(photo, 'a photo');
  const service = await openService({ allowFolders: [root] });
  return new Fixture(service, out, pathToFileURL(photo).href);
}

describe('a rejected version', () => {
  it('leaves the folder, and comes back as soon as it is not rejected any more', async () => {
    const photo = await open();
    const taskId = await photo.version();
    expect(await photo.held()).toEqual({ [plainName]: taskId });
    const rejected = await photo.mark(taskId, 'rejected');
    expect(rejected).toMatchObject({ mark: 'rejected', folder: { path: photo.out } });
    expect(rejected.savedTo).toBeUndefined();
    expect(await photo.held()).toEqual({});
    const result = await photo.service.call('GET', rejected.imageUrl ?? '');
    expect(result.text).toBe(`image of ${taskId}-1`);
    const accepted = await photo.mark(taskId, 'accepted');
    expect(accepted.savedTo).toBe(photo.plainPath());
    expect(await photo.held()).toEqual({ [plainName]: taskId });
  });

  it('gives its place back to the one before it', async () => {
    const photo = await open();
    const [first, second] = [await photo.version(), await photo.version()];
    expect(await photo.held()).toEqual({ [plainName]: second });
    await photo.mark(second, 'rejected');
    expect(await photo.held()).toEqual({ [plainName]: first });
    await photo.mark(first, 'rejected');
    expect(await photo.held()).toEqual({});
  });

  it('stays where somebody changed its file, and the record says so', async () => {
    const photo = await open();
    const taskId = await photo.version();
    await writeFile(photo.plainPath(), 'retouched');
    const rejected = await photo.mark(taskId, 'rejected');
    expect(rejected.folder).toEqual({ path: photo.out, problem: 'changed' });
    expect(rejected.savedTo).toBe(photo.plainPath());
    expect(await photo.held()).toEqual({ [plainName]: 'retouched' });
    const next = await photo.version();
    expect(await photo.held()).toEqual({ [plainName]: 'retouched', 'beach-2x (2).jpg': next });
  });

  it('stays where its file was given another name', async () => {
    const photo = await open();
    const taskId = await photo.version();
    await rename(photo.plainPath(), path.join(photo.out, 'mine.jpg'));
    const { folder, savedTo } = await photo.mark(taskId, 'rejected');
    expect([folder?.problem, savedTo]).toEqual(['changed', undefined]);
    expect(await photo.held()).toEqual({ 'mine.jpg': taskId });
  });

  it('stays where a link took its place', async () => {
    const photo = await open();
    const taskId = await photo.version();
    const aside = path.join(path.dirname(photo.out), 'aside.jpg');
    await rename(photo.plainPath(), aside);
    await symlink(aside, photo.plainPath());
    expect((await photo.mark(taskId, 'rejected')).folder?.problem).toBe('changed');
    expect(await readFile(aside, 'utf8')).toBe(`image of ${taskId}-1`);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'stays in a folder that nobody may change, and the record says so',
    async () => {
      const photo = await open();
      const taskId = await photo.version();
      await chmod(photo.out, 0o500);
      try {
        expect((await photo.mark(taskId, 'rejected')).folder?.problem).toBe('not-removed');
        expect(await photo.held()).toEqual({ [plainName]: taskId });
      } finally {
        await chmod(photo.out, 0o700);
      }
    },
  );

  it('stays in a folder that is no longer granted', async () => {
    const photo = await open();
    const taskId = await photo.version();
    await photo.service.call('PATCH', '/api/settings', { grantedFolders: [] });
    const aside = `${photo.out} aside`;
    await rename(photo.out, aside);
    expect((await photo.mark(taskId, 'rejected')).folder?.problem).toBe('not-removed');
    expect(await readdir(aside)).toEqual([plainName]);
  });

  it('stays where its result is not the same any more', async () => {
    const photo = await open();
    const taskId = await photo.version();
    const result = await kept(photo, taskId);
    await writeFile(result, 'damaged');
    expect((await photo.mark(taskId, 'rejected')).folder?.problem).toBe('changed');
    expect(await photo.held()).toEqual({ [plainName]: taskId });
  });
});

describe('an accepted version', () => {
  it('keeps its place: a new one waits until it is accepted, and then takes the plain name', async () => {
    const photo = await open();
    const first = await photo.version();
    await photo.mark(first, 'accepted');
    const second = await photo.version();
    expect(await photo.held()).toEqual({ [plainName]: first });
    const waiting = await photo.service.record(second);
    expect(waiting).toMatchObject({ folder: { path: photo.out }, notes: [] });
    expect(waiting.savedTo).toBeUndefined();
    await photo.mark(second, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: second });
    expect((await photo.service.record(first)).savedTo).toBeUndefined();
  });

  it('takes the place of a later one that was not judged', async () => {
    const photo = await open();
    const [first] = [await photo.version(), await photo.version()];
    await photo.mark(first, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: first });
  });

  it('is put into the folder of the other versions, where it was saved nowhere', async () => {
    const photo = await open();
    const kept = await photo.version({ saveTo: undefined, oneVersion: undefined });
    await photo.version();
    await photo.mark(kept, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: kept });
  });
});

describe('a result that is saved later', () => {
  it('takes the place of the version that counted before', async () => {
    const photo = await open();
    const kept = await photo.version({ saveTo: undefined, oneVersion: undefined });
    const second = await photo.version();
    await photo.mark(second, 'rejected');
    expect(await photo.save(kept)).toBe(photo.plainPath());
    expect(await photo.held()).toEqual({ [plainName]: kept });
    await photo.mark(kept, 'rejected');
    expect(await photo.held()).toEqual({});
  });

  it('is there once, under the plain name, however often it is saved', async () => {
    const photo = await open();
    const taskId = await photo.version();
    expect(await photo.save(taskId)).toBe(photo.plainPath());
    expect(await photo.save(taskId)).toBe(photo.plainPath());
    expect(await photo.held()).toEqual({ [plainName]: taskId });
    await writeFile(photo.plainPath(), 'retouched');
    await photo.save(taskId);
    expect(await photo.held()).toEqual({ [plainName]: 'retouched', 'beach-2x (2).jpg': taskId });
    await photo.mark(taskId, 'rejected');
    expect(await photo.held()).toEqual({ [plainName]: 'retouched' });
  });

  it('has its own name again when it comes back', async () => {
    const photo = await open();
    const taskId = await photo.version({ saveTo: undefined, oneVersion: undefined });
    await photo.save(taskId, { oneVersion: true, name: 'sea.{ext}' });
    await photo.mark(taskId, 'rejected');
    expect(await photo.held()).toEqual({});
    await photo.mark(taskId, null);
    expect(await photo.held()).toEqual({ 'sea.jpg': taskId });
  });

  it('is left alone where another version counts, for it was asked for', async () => {
    const photo = await open();
    const [first, second] = [await photo.version(), await photo.version()];
    await photo.mark(second, 'accepted');
    await photo.save(first);
    await photo.mark(first, 'rejected');
    expect(await photo.held()).toEqual({ [plainName]: second, 'beach-2x (2).jpg': first });
  });
});

describe('a program that does not ask for one version', () => {
  it.each([{}, { onConflict: 'overwrite', oneVersion: true }])(
    'keeps each file that it saved, whatever is marked (%j)',
    async (fields) => {
      const photo = await open();
      const asked = { oneVersion: undefined, ...fields };
      const first = await photo.version(asked);
      await photo.mark(first, 'rejected');
      expect(await photo.held()).toEqual({ [plainName]: first });
      const second = await photo.version({ ...asked, name: 'second.{ext}' });
      await photo.mark(second, 'accepted');
      expect(await photo.held()).toEqual({ [plainName]: first, 'second.jpg': second });
      expect((await photo.service.record(first)).folder).toBeUndefined();
    },
  );

  it('is not given it by a preset', async () => {
    const { service } = await open();
    const preset = { name: 'One', operation: 'upscale', options: { scale: 2, oneVersion: true } };
    expect((await service.call('POST', '/api/presets', preset)).status).toBe(400);
  });
});

describe('a folder of accepted results only', () => {
  const only = { onlyAccepted: true };

  it('gets a result once it is accepted, and loses it with its acceptance', async () => {
    const photo = await open();
    const taskId = await photo.version(only);
    expect(await photo.held()).toEqual({});
    const waiting = await photo.service.record(taskId);
    expect(waiting).toMatchObject({
      status: 'FINISHED',
      folder: { path: photo.out, onlyAccepted: true },
      options: { onlyAccepted: true },
      notes: [],
    });
    expect(waiting.savedTo).toBeUndefined();
    const accepted = await photo.mark(taskId, 'accepted');
    expect(accepted.savedTo).toBe(photo.plainPath());
    expect(await photo.held()).toEqual({ [plainName]: taskId });
    for (const mark of [null, 'accepted', 'rejected'] as const) {
      const { savedTo, folder } = await photo.mark(taskId, mark);
      expect(savedTo).toBe(mark === 'accepted' ? photo.plainPath() : undefined);
      expect(folder).toEqual({ path: photo.out, onlyAccepted: true });
      expect(await photo.held()).toEqual(mark === 'accepted' ? { [plainName]: taskId } : {});
    }
  });

  it('has the version that was accepted, also one that was made without the folder', async () => {
    const photo = await open();
    const kept = await photo.version({ saveTo: undefined, oneVersion: undefined });
    const [first, second] = [await photo.version(only), await photo.version(only)];
    await photo.mark(first, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: first });
    await photo.mark(second, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: second });
    await photo.mark(first, null);
    await photo.mark(second, null);
    expect(await photo.held()).toEqual({});
    await photo.mark(kept, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: kept });
    await photo.mark(kept, null);
    expect(await photo.held()).toEqual({});
  });

  it('keeps the file that somebody changed, whatever is marked', async () => {
    const photo = await open();
    const taskId = await photo.version(only);
    await photo.mark(taskId, 'accepted');
    await writeFile(photo.plainPath(), 'retouched');
    const { folder } = await photo.mark(taskId, null);
    expect(folder).toEqual({ path: photo.out, problem: 'changed', onlyAccepted: true });
    expect(await photo.held()).toEqual({ [plainName]: 'retouched' });
  });

  it('keeps what lay there before, until another version is accepted', async () => {
    const photo = await open();
    const before = await photo.version();
    const after = await photo.version(only);
    expect(await photo.held()).toEqual({ [plainName]: before });
    await photo.mark(after, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: after });
    await photo.mark(after, null);
    expect(await photo.held()).toEqual({ [plainName]: before });
  });

  it('gets a result that a person saves without accepting it, which then stays until it is rejected', async () => {
    const photo = await open();
    const taskId = await photo.version(only);
    expect(await photo.save(taskId)).toBe(photo.plainPath());
    await photo.mark(taskId, null);
    expect(await photo.held()).toEqual({ [plainName]: taskId });
    await photo.mark(taskId, 'rejected');
    expect(await photo.held()).toEqual({});
  });

  it('loses a result that was saved there after its acceptance, as one that waited for it', async () => {
    const photo = await open();
    const taskId = await photo.version({ saveTo: undefined, oneVersion: undefined });
    await photo.mark(taskId, 'accepted');
    expect(await photo.save(taskId, { ...only, oneVersion: true })).toBe(photo.plainPath());
    await photo.mark(taskId, null);
    expect(await photo.held()).toEqual({});
    await photo.mark(taskId, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: taskId });
    // As a person wants it who saves what is not accepted.
    await photo.mark(taskId, null);
    expect(await photo.save(taskId, { ...only, oneVersion: true })).toBe(photo.plainPath());
    await photo.mark(taskId, null);
    expect(await photo.held()).toEqual({ [plainName]: taskId });
  });

  it('has each accepted result by itself, for good, without oneVersion', async () => {
    const photo = await open();
    const asked = { ...only, oneVersion: undefined };
    const [first, second] = [await photo.version(asked), await photo.version(asked)];
    expect(await photo.held()).toEqual({});
    await photo.mark(first, 'accepted');
    await photo.mark(second, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: first, 'beach-2x (2).jpg': second });
    await photo.mark(first, 'rejected');
    await photo.mark(second, null);
    expect(await photo.held()).toEqual({ [plainName]: first, 'beach-2x (2).jpg': second });
  });

  it('overwrites what has the name, or leaves it, when a result is accepted', async () => {
    const photo = await open();
    await writeFile(photo.plainPath(), 'there before');
    const skipping = await photo.version({ ...only, onConflict: 'skip', format: 'jpeg' });
    expect((await photo.service.record(skipping)).notes).toEqual([]);
    const { folder, savedTo } = await photo.mark(skipping, 'accepted');
    expect([folder?.problem, savedTo]).toEqual(['not-saved', undefined]);
    const overwriting = await photo.version({ ...only, onConflict: 'overwrite' });
    expect(await photo.held()).toEqual({ [plainName]: 'there before' });
    await photo.mark(overwriting, 'accepted');
    expect(await photo.held()).toEqual({ [plainName]: overwriting });
    await photo.mark(overwriting, 'rejected');
    expect(await photo.held()).toEqual({ [plainName]: overwriting });
  });

  it('is asked for of a task that waits, and taken back', async () => {
    const photo = await open();
    await photo.service.call('POST', '/api/queue/pause');
    const taskId = await photo.service.submit(photo.imageUrl, { saveTo: photo.out });
    const change = (onlyAccepted: boolean | null) =>
      photo.service.call('PATCH', `/api/task/${taskId}`, { options: { onlyAccepted } });
    const asked = async () => (await photo.service.record(taskId)).options.onlyAccepted;
    expect((await change(true)).status).toBe(200);
    expect(await asked()).toBe(true);
    for (const none of [false, null]) {
      await change(true);
      await change(none);
      expect(await asked()).toBeUndefined();
    }
  });

  it('is not asked for by a preset, because watched folders have nobody who accepts', async () => {
    const { service } = await open();
    const preset = { name: 'Only', operation: 'upscale', options: { scale: 2, ...only } };
    expect((await service.call('POST', '/api/presets', preset)).status).toBe(400);
  });
});

/** Path of the result that the service keeps. */
async function kept({ service }: Fixture, taskId: string): Promise<string> {
  const folder = path.join(service.dataDir, 'results', taskId);
  const names = await readdir(folder);
  return path.join(folder, names.find((name) => /^1\.\w+$/.test(name)) ?? '');
}
