/** The second run over a folder, over the real engine. */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { programs } from '../../../../electron/programs.ts';
import { workOnPhotos } from '../../../../packages/command-line/src/photos/photo-run.ts';
import type { ProcessOptions } from '../../../../packages/command-line/src/photos/result-target.ts';
import type { TaskList } from '../../../../packages/contract/src/task.ts';
import { writeSmallJpeg } from '../../../support/pictures.ts';
import { openRealService } from '../../../support/real-service.ts';

describe('a finished batch that is run again', { timeout: 240_000 }, () => {
  it('does nothing, by scale and by size', async () => {
    const service = await openRealService();
    const { folder, url, key } = service;
    await mkdir(path.join(folder, 'day 2'));
    await writeSmallJpeg(path.join(folder, 'a.jpg'));
    await writeSmallJpeg(path.join(folder, 'day 2/b.JPG'), 31, 17);
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const warned = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => [said, warned].forEach((spy) => spy.mockRestore()));
    const run = (body: ProcessOptions['work']['body']) => {
      const work = { operation: 'upscale', body } as const;
      const nameTemplate = '{name}-{scale}x.{ext}';
      const options = { work, outDir: undefined, nameTemplate, onConflict: 'skip' } as const;
      const command = {
        names: [folder],
        options,
        json: false,
        includeResults: false,
        access: 'grant' as const,
        url,
        key,
      };
      const running = {
        programUrl: import.meta.url,
        programs,
        signal: new AbortController().signal,
      };
      return workOnPhotos(command, running);
    };
    for (let round = 0; round < 3; round += 1)
      for (const size of [{ scale: 2 }, { longEdge: 77 }] as const) expect(await run(size)).toBe(0);
    expect((await readdir(folder, { recursive: true })).toSorted()).toEqual([
      ...['a-1.6x.jpg', 'a-2x.jpg', 'a.jpg', 'day 2'],
      ...['day 2/b-2.48x.JPG', 'day 2/b-2x.JPG', 'day 2/b.JPG'],
    ]);
    const { counts } = (await service.call('GET', '/api/tasks')).body as TaskList;
    expect(counts).toMatchObject({ FINISHED: 4, FAILED: 0 });
    expect(warned.mock.calls.join()).toContain('4 pictures that Enlarger made were left out');
  });
});
