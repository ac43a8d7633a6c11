/** Whoever can write inside a granted folder, while results are saved there and names are asked for. */
import { watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { untilEnded, type HeadlessService } from '../support/headless.ts';
import type { Attack } from './attacks.ts';
import { smallPicture } from './pictures.ts';
import { hangMs } from './service-cost.ts';
import { attempt, expectThat, type Row } from './table.ts';

const tries = 300;

export const folderAttacks: Attack[] = [
  [
    'a folder exchanged for a link while results are saved into it',
    'nothing outside is written',
    async ({ service, folder, outside }, row) => {
      const at = (name: string) => path.join(folder, name);
      await mkdir(at('saved'));
      await symlink(outside, at('saved-link'));
      const before = await readdir(outside);
      const taskId = await finished(service);
      const swapping = again(async () => {
        await rename(at('saved'), at('saved-aside'));
        await rename(at('saved-link'), at('saved'));
        await rename(at('saved'), at('saved-link'));
        await rename(at('saved-aside'), at('saved'));
        await wait(Math.random() * 4);
      });
      const saved = await saveAgain(service, taskId, at('saved'), row);
      await swapping.end();
      row.figures = `${saved} saved inside`;
      expectThat(saved > 0, 'nothing was saved at all');
      const after = await readdir(outside);
      expectThat(after.length === before.length, `outside lies ${after.join(', ')}`);
    },
  ],
  [
    'links put at the names under which results are written',
    'nothing outside is written',
    async ({ service, folder, outside }, row) => {
      const saved = path.join(folder, 'planted');
      const victim = path.join(outside, 'victim');
      await mkdir(saved);
      await writeFile(victim, 'untouched');
      const taskId = await finished(service);
      const planting = new Set<Promise<void>>();
      let planted = 0;
      const watching = watch(saved, (_, name) => {
        if (name === null || name.endsWith('.png')) return;
        const file = path.join(saved, name);
        const one = unlink(file)
          .then(() => symlink(victim, file))
          .then(() => void (planted += 1))
          .catch(() => undefined)
          .finally(() => planting.delete(one));
        planting.add(one);
      });
      const count = await saveAgain(service, taskId, saved, row);
      watching.close();
      await Promise.all(planting);
      row.figures = `${planted} links put, ${count} saved`;
      expectThat(planted > 0 && count > 0, row.figures);
      expectThat((await readFile(victim, 'utf8')) === 'untouched', 'the file outside is written');
    },
  ],
  [
    'names of results that lead elsewhere or name what JavaScript has',
    'refused, or a plain name inside the folder',
    async ({ service, folder, outside }, row) => {
      const saved = path.join(folder, 'named');
      await mkdir(saved);
      const before = await readdir(outside);
      const taskId = await finished(service);
      for (const name of names)
        await attempt(row, name.slice(0, 40), async () => {
          const response = await save(service, taskId, saved, name);
          expectThat(response.status < 500, `answered ${response.status}`);
          if (!response.ok) return;
          const { savedTo = '' } = (await response.json()) as { savedTo?: string };
          expectThat(path.dirname(savedTo) === saved, `it lies at ${savedTo}`);
          expectThat(!/function|native code|object Object/i.test(savedTo), savedTo);
        });
      expectThat((await readdir(outside)).length === before.length, 'something lies outside');
    },
  ],
  [
    'addresses of files on other machines',
    'refused, and nothing hangs',
    async ({ service }, row) => {
      for (const imageUrl of elsewhere)
        await attempt(row, imageUrl, async () => {
          const response = await service.call('POST', '/api/image-upscaler', { imageUrl });
          expectThat(
            response.status === 400 || response.status === 403,
            `answered ${response.status}`,
          );
        });
    },
  ],
];

const names = [
  ...['{constructor}', '{__proto__}', '{toString}', '{hasOwnProperty}', '{valueOf.name}'],
  ...['../{name}', '..', '.', '../../outside/a', '/etc/a', 'a/b', 'a\\b', '..\\a', 'C:\\a', 'a:b'],
  ...['\0', 'a\0.png', '\n', ' ', '...', 'con', 'NUL.png', 'x'.repeat(255), '{name}'.repeat(40)],
  ...['{name', 'name}', '{}', '{{name}}', '%2e%2e%2fa', '\u202egnp.exe', '💾'.repeat(60)],
];

const elsewhere = [
  ...['file://nas/share/a.png', 'file://nas.local/a.png', 'file:////nas/share/a.png'],
  ...['file://127.0.0.1/etc/hostname', 'file://0x7f.1/etc/hostname', 'file://[::1]/etc/hostname'],
  ...['file:///etc/hostname', 'file:///proc/self/environ', 'file:///dev/zero', 'file:///dev/stdin'],
  ...[
    'file:etc/hostname',
    'file:///%00',
    'file:///a%2f..%2f..%2fetc/hostname',
    '\\\\nas\\share\\a',
  ],
];

async function finished(service: HeadlessService): Promise<string> {
  const taskId = await service.submit(await smallPicture(2), { model: 'faithful', scale: 2 });
  const { status } = await untilEnded(service, taskId, hangMs);
  expectThat(status === 'FINISHED', `it is ${status}`);
  return taskId;
}

/** @returns how often it was saved */
async function saveAgain(
  service: HeadlessService,
  taskId: string,
  saveTo: string,
  row: Row,
): Promise<number> {
  let saved = 0;
  for (let i = 0; i < tries; i += 1)
    await attempt(row, `save ${i}`, async () => {
      const { status, ok } = await save(service, taskId, saveTo, `again-${i}`);
      expectThat(status < 500, `answered ${status}`);
      if (ok) saved += 1;
    });
  return saved;
}

const save = (service: HeadlessService, taskId: string, saveTo: string, name: string) =>
  service.call('POST', `/api/task/${taskId}/save`, { saveTo, name });

/** Does it again and again until it is ended; what fails once is tried again. */
function again(work: () => Promise<void>): { end(): Promise<void> } {
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const working = (async () => {
    while (!isOver()) await work();
  })();
  return {
    end: async () => {
      over.abort();
      await working;
    },
  };
}
