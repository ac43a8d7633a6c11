/** What the refusal of a path says, and what it must not say. */
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  assertGrantedFile,
  assertGrantedFolder,
  openGrantedFile,
} from '../../../packages/files/src/granted.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function refusalOf(check: Promise<string>): Promise<string> {
  try {
    return `taken: ${await check}`;
  } catch (thrown) {
    if (thrown instanceof EnlargerError && thrown.code === 'FORBIDDEN_PATH') return thrown.message;
    throw thrown;
  }
}

function places() {
  const root = temporaryFolder();
  const granted = path.join(root, 'granted');
  return { root, granted, secret: path.join(root, 'secret') };
}

const notGranted = (wanted: string) =>
  `Expected a path inside a folder that was granted to Enlarger, but ${wanted} is in none. Grant its folder in the settings, or start with --allow-folder.`;

it('says what is missing, what is no absolute path, and what is something else', async () => {
  const { granted } = places();
  await mkdir(path.join(granted, 'folder'), { recursive: true });
  const photo = path.join(granted, 'photo.jpg');
  await writeFile(photo, '');
  const file = (wanted: string) => refusalOf(assertGrantedFile(wanted, [granted]));
  const folder = (wanted: string) => refusalOf(assertGrantedFolder(wanted, [granted]));
  expect(await file(photo)).toBe(`taken: ${photo}`);
  for (const name of ['none.jpg', 'none/of/these.jpg', 'photo.jpg/none.jpg']) {
    const wanted = `${granted}/${name}`;
    expect(await file(wanted)).toBe(`Expected a file but found none at ${wanted}. Check its path.`);
  }
  const none = path.join(granted, 'none');
  expect(await folder(none)).toBe(
    `Expected a folder but found none at ${none}. Make it first, or name another one.`,
  );
  expect(await file('photo.jpg')).toBe('Expected an absolute path but received "photo.jpg".');
  const inside = path.join(granted, 'folder');
  expect(await file(inside)).toBe(`Expected a file, but ${inside} is something else. Name a file.`);
  expect(await folder(photo)).toBe(
    `Expected a folder, but ${photo} is something else. Name a folder.`,
  );
  await rm(granted, { recursive: true });
  expect(await file(photo)).toBe(`Expected a file but found none at ${photo}. Check its path.`);
});

it.skipIf(process.platform === 'win32')(
  'is the same outside of what was granted, whether a file is there or not',
  async () => {
    const { root, granted, secret } = places();
    const at = (name: string) => `${granted}/${name}`;
    await mkdir(at('folder'), { recursive: true });
    await symlink(secret, at('link'));
    await symlink(path.join(secret, 'photo.jpg'), at('photo-link'));
    await symlink('folder/inner', at('detour'));
    await symlink(secret, at('folder/outward'));
    await mkdir(at('folder/inner'));
    const wanted = [
      ...[secret, path.join(secret, 'photo.jpg'), at('../secret/photo.jpg'), root],
      ...[at('link'), at('link/'), at('link/.'), at('link/photo.jpg'), at('link/none/a.jpg')],
      ...[at('photo-link'), at('photo-link/'), at('photo-link/a.jpg')],
      ...[at('detour/../outward'), at('detour/../outward/photo.jpg')],
    ];
    const refusals = () =>
      Promise.all(
        wanted.map(async (one) => [one, await refusalOf(assertGrantedFile(one, [granted]))]),
      );
    const expected = wanted.map((one) => [one, notGranted(one)]);
    expect(await refusals()).toEqual(expected);
    await mkdir(secret);
    await writeFile(path.join(secret, 'photo.jpg'), 'x');
    expect(await refusals()).toEqual(expected);
  },
);

describe.skipIf(process.platform === 'win32')('what the system does not let be read', () => {
  /** Runs without the rights of root, who may read everything. */
  async function asAnybody<T>(run: () => Promise<T>): Promise<T> {
    if (process.geteuid?.() !== 0) return run();
    process.seteuid?.(65_534);
    try {
      return await run();
    } finally {
      process.seteuid?.(0);
    }
  }

  it('is said to be unreadable, not to be elsewhere', async () => {
    const { granted, root } = places();
    const [photo, locked] = [path.join(granted, 'photo.jpg'), path.join(granted, 'locked')];
    await mkdir(locked, { recursive: true });
    await writeFile(photo, 'x');
    await writeFile(path.join(locked, 'photo.jpg'), 'x');
    await mkdir(path.join(root, 'secret'));
    for (const folder of [root, granted]) await chmod(folder, 0o755);
    for (const one of [photo, locked, path.join(root, 'secret')]) await chmod(one, 0);
    const inside = path.join(locked, 'photo.jpg');
    const outside = path.join(root, 'secret/photo.jpg');
    const refusals = await asAnybody(async () => ({
      opened: await openGrantedFile(photo, [granted]).catch((thrown: unknown) => thrown),
      inside: await refusalOf(assertGrantedFile(inside, [granted])),
      outside: await refusalOf(assertGrantedFile(outside, [granted])),
    }));
    await chmod(locked, 0o755);
    expect(refusals.opened).toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      message: `${photo} cannot be read: the system does not allow it.`,
    });
    expect(refusals.inside).toBe(`${inside} cannot be read: the system does not allow it.`);
    expect(refusals.outside).toBe(notGranted(outside));
  });
});
