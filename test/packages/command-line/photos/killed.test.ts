/** Batches whose process is killed, and what the next command does: over real processes and the real engine. */
import { readdir, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeInstallation, upscaler } from '../../../support/made-service.ts';
import { writeSmallJpeg } from '../../../support/pictures.ts';
import { startProgram, type Running } from '../../../support/program.ts';
import { smallInstallationProgram } from '../../../support/programs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const photoCount = 6;

async function openFolders() {
  const folder = temporaryFolder();
  const at = (...parts: string[]) => path.join(folder, ...parts);
  for (const name of ['shots', 'others']) await mkdir(at(name));
  for (let n = 1; n <= photoCount; n += 1) await writeSmallJpeg(at(`shots/${n}.jpg`));
  await writeSmallJpeg(at('others/other.jpg'));
  const installation = await makeInstallation([upscaler('Natural')], at('data'));
  const start = (...words: string[]) =>
    startProgram(process.execPath, [
      ...[smallInstallationProgram, installation],
      ...[...words, '--data-dir', at('data')],
    ]);
  return { at, start };
}

/** Kills a command, service and all, when the first of its pictures is done. */
async function killAtFirstResult({ child, said, ended }: Running): Promise<void> {
  await expect.poll(() => said.stdout, { timeout: 120_000, interval: 5 }).toContain(' -> ');
  child.kill('SIGKILL');
  await ended;
}

const results = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.includes('-2x')).toSorted();

const once = Array.from({ length: photoCount }, (_, i) => `${i + 1}-2x.jpg`).toSorted();

describe('a batch that was killed', { timeout: 240_000 }, () => {
  it('goes on beside the next command, which names other photos', async () => {
    const { at, start } = await openFolders();
    await killAtFirstResult(start('upscale', at('shots')));
    const { code, stderr } = await start('upscale', at('others/other.jpg')).ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/waited before go(es)? on now/);
    expect(await readdir(at('others'))).toContain('other-2x.jpg');
    // Those that the killed command had not submitted yet are none of this command's.
    const listed = await start('tasks', '--json').ended;
    const tasks = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: string; error?: object });
    expect(tasks.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it('is left as it is by commands that only read', async () => {
    const { at, start } = await openFolders();
    await killAtFirstResult(start('upscale', at('shots')));
    const list = async () => {
      const { stdout } = await start('tasks', '--json').ended;
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { status: string });
    };
    const waiting = async () => (await list()).filter(({ status }) => status !== 'FINISHED');
    const before = await waiting();
    expect(before.map(({ status }) => status)).toContain('PENDING');
    for (const words of ['watches', 'models']) expect((await start(words).ended).code).toBe(0);
    const after = await waiting();
    expect(after.map(({ status }) => status)).toEqual(before.map(() => 'PENDING'));
  });

  it('is finished by the same command, which makes no photo twice', async () => {
    const { at, start } = await openFolders();
    const command = ['upscale', at('shots')];
    await killAtFirstResult(start(...command));
    const second = await start(...command).ended;
    expect(second.stderr).toContain('was interrupted before');
    expect(second.code).toBe(0);
    expect(await results(at('shots'))).toEqual(once);
  });

  it('is made anew with --again, and what it left waiting is not', async () => {
    const { at, start } = await openFolders();
    await killAtFirstResult(start('upscale', at('shots'), '--out', at('out')));
    const made = await results(at('out'));
    const { code } = await start('upscale', at('shots'), '--out', at('out'), '--again').ended;
    expect(code).toBe(0);
    const now = await results(at('out'));
    for (const name of once) expect(now).toContain(name);
    expect(now.length).toBeLessThanOrEqual(photoCount + made.length + 2);
  });

  it('goes on after Ctrl-C, too, and where the photos were sent', async () => {
    const { at, start } = await openFolders();
    const command = ['upscale', at('shots'), '--upload', '--out', at('out')];
    const first = start(...command);
    await expect.poll(() => first.said.stdout, { timeout: 120_000, interval: 5 }).toContain(' -> ');
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    expect((await start(...command).ended).code).toBe(0);
    expect(await results(at('out'))).toEqual(once);
  });

  it('whose service alone was killed goes on by itself, and makes no photo twice', async () => {
    const { at, start } = await openFolders();
    const service = start('serve', '--port', '0');
    const { pid } = JSON.parse(await service.firstLine) as { pid: number };
    const command = start('upscale', at('shots'), '--out', at('out'));
    await expect
      .poll(() => command.said.stdout, { timeout: 120_000, interval: 5 })
      .toContain(' -> ');
    process.kill(pid, 'SIGKILL');
    const { code, stdout, stderr } = await command.ended;
    await service.ended;
    expect(stderr).toContain('This command goes on without it');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${photoCount} pictures in `)]);
    expect(stdout).not.toContain('failed');
    expect(await results(at('out'))).toEqual(once);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'by %s leaves another command, which used its service, to go on',
    async (signal) => {
      const { at, start } = await openFolders();
      const first = start('upscale', at('others'), '--out', at('out'));
      await expect
        .poll(() => first.said.stdout, { timeout: 120_000, interval: 5 })
        .toContain(' -> ');
      const other = start('upscale', at('shots'), '--out', at('out'));
      await expect
        .poll(() => other.said.stdout, { timeout: 120_000, interval: 5 })
        .toContain(' -> ');
      first.child.kill(signal);
      await first.ended;
      expect((await other.ended).code).toBe(0);
      expect(await results(at('out'))).toEqual([...once, 'other-2x.jpg'].toSorted());
    },
  );
});
