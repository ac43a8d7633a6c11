/** The command line over the real service and the shipped networks, on pictures of a few pixels. */
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHeadless, type HeadlessService } from '../../../support/headless.ts';
import { writeShippedSpeeds } from '../../../support/measured-data.ts';
import { writeSmallJpeg } from '../../../support/pictures.ts';
import { startProgram } from '../../../support/program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { cliProgram } from '../../../support/programs.ts';

describe('enlarger upscale', () => {
  /** It runs before its command does, where a test names its data folder. */
  let service: HeadlessService & { dataDir: string };
  beforeAll(async () => {
    const own = path.join(temporaryFolder(), 'data');
    service = { ...(await startHeadless(own)), dataDir: own };
  });
  afterAll(() => service.end('SIGTERM'));
  let folder: string;
  let dataDir: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    dataDir = path.join(folder, 'data');
    await writeShippedSpeeds(dataDir);
    await mkdir(path.join(folder, 'shots/day 2'), { recursive: true });
    await writeSmallJpeg(path.join(folder, 'shots/a.jpg'));
    await writeSmallJpeg(path.join(folder, 'shots/day 2/b.JPG'), 31, 17);
  });

  const at = (...parts: string[]) => path.join(folder, ...parts);
  const start = (...args: string[]) =>
    startProgram(process.execPath, [cliProgram, ...args, '--data-dir', dataDir]);
  const sizeOf = async (file: string) => {
    const { width, height } = await sharp(file).metadata();
    return [width, height];
  };

  it('starts a service of its own, mirrors the folder and ends what it started', async () => {
    const { ended } = start('upscale', at('shots'), '--scale', '4', '--out', at('out'));
    const { code, stdout, stderr } = await ended;
    expect(stderr).toBe('');
    expect(code).toBe(0);
    // What takes over ten seconds also tells how far it is, in lines without an arrow.
    expect(stdout.split('\n').filter((line) => line.includes(' -> '))).toHaveLength(2);
    expect(await sizeOf(at('out/a-4x.jpg'))).toEqual([192, 128]);
    expect(await sizeOf(at('out/day 2/b-4x.JPG'))).toEqual([124, 68]);
    await expect(access(path.join(dataDir, 'service.json'))).rejects.toThrow();
  });

  it('warns of what its model cannot be told', async () => {
    dataDir = service.dataDir;
    const say = async (model: string, ...words: string[]) => {
      const { stderr } = await start('upscale', at('shots/a.jpg'), ...words, '-m', model).ended;
      return stderr.replace(/^Enlarger may read and write in [^\n]+\n/, '');
    };
    expect(await say('natural', '--restore', '40')).toBe('');
    expect(await say('faithful', '--restore', '40')).toBe(
      'faithful cannot be told how much to take off: --restore 40 changes nothing.\n',
    );
    expect(await say('detail', '--detail', '40')).toBe('');
    expect(await say('natural', '--detail', '40')).toBe(
      'natural has no strength of detail: --detail 40 changes nothing.\n',
    );
  });

  it('uses the running service, and says for each picture why it failed', async () => {
    dataDir = service.dataDir;
    await writeFile(at('shots/notes.jpg'), 'not a picture');
    const { ended } = start('upscale', at('shots/*.jpg'), at('gone.jpg'), '--out', at('out'));
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/gone\.jpg: There is no such file\./);
    expect(stderr).toMatch(/notes\.jpg: .*picture/);
    expect(await readdir(at('out'))).toEqual(['a-2x.jpg']);
    expect((await service.call('GET', '/api/health')).ok).toBe(true);
  });

  it('enlarges for paper, and says size and resolution in the name and the tags', async () => {
    const { ended } = start('upscale', at('shots/a.jpg'), '--print', '8mm@300');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(await sizeOf(at('shots/a-0.8x0.5cm.jpg'))).toEqual([94, 63]);
    expect((await sharp(at('shots/a-0.8x0.5cm.jpg')).metadata()).density).toBe(300);
  });

  it('prints one JSON line a picture and never writes over a file', async () => {
    await mkdir(at('out'));
    await writeFile(at('out/a-2x.png'), 'mine');
    const { ended } = start(
      ...['upscale', at('shots/a.jpg'), '--json', '--format', 'png', '--out', at('out')],
    );
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: at('shots/a.jpg'),
      status: 'finished',
      output: at('out/a-2x (2).png'),
      width: 96,
      height: 64,
    });
  });

  it('cancels its own tasks on Ctrl-C and exits with 130', async () => {
    dataDir = service.dataDir;
    await writeSmallJpeg(at('large.jpg'), 600, 400);
    const running = start('upscale', at('large.jpg'), '--scale', '16', '--out', at('out'));
    await untilTask(service, 'PROCESSING');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const task = await untilTask(service, 'FAILED');
    expect(task.error?.code).toBe('CANCELLED');
    const again = start('retry', task.taskId);
    await untilTask(service, 'PROCESSING');
    again.child.kill('SIGINT');
    expect((await again.ended).code).toBe(130);
    await service.call('POST', `/api/task/${task.taskId}/cancel`);
  });

  it('shares the service when two commands start at the same moment', async () => {
    const one = start('upscale', at('shots/a.jpg'), '--out', at('one'));
    const two = start('models');
    const [first, second] = await Promise.all([one.ended, two.ended]);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain('faithful');
    expect(first.code).toBe(0);
    // Into a service that another command started, it asks for its folders.
    expect(first.stderr).toMatch(/^(Enlarger may read and write in [^\n]+\n)?$/);
  });

  it('exits with 2 on wrong usage, and starts nothing', async () => {
    dataDir = at('no data yet');
    const { ended } = start('upscale', at('shots'), '--scale', '3');
    expect(await ended).toMatchObject({ code: 2, stdout: '' });
    const two = start('upscale', at('shots'), '--print', '8mm', '--scale', '2');
    const { code, stderr } = await two.ended;
    expect(code).toBe(2);
    expect(stderr).toBe('error: Expected only one of --scale, --print.\n');
    await expect(access(dataDir)).rejects.toThrow();
  });
});

interface ListedTask {
  taskId: string;
  status: string;
  error?: { code: string };
}

async function untilTask(service: HeadlessService, status: string): Promise<ListedTask> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const { tasks } = (await (await service.call('GET', '/api/tasks')).json()) as {
      tasks: ListedTask[];
    };
    if (tasks[0]?.status === status) return tasks[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No task became ${status}.`);
}
