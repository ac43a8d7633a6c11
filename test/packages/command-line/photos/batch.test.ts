/** What becomes of a batch that is given up while its pictures are on their way into the queue. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runBatch } from '../../../../packages/command-line/src/photos/batch.ts';
import { noPlaces } from '../../../../packages/command-line/src/photos/local-places.ts';
import type { Report } from '../../../../packages/command-line/src/photos/report.ts';
import { createClient } from '../../../../packages/api-client/src/client.ts';
import { openService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const noReport: Report = {
  progress: () => undefined,
  ended: () => undefined,
  missing: () => undefined,
  close: () => undefined,
};

it('cancels also the tasks that the service was only just asked for', async () => {
  const service = await openService({ script: () => ({ do: 'hold' }) });
  const client = createClient({ url: service.url, key: service.key });
  const stop = new AbortController();
  const submit: typeof client.submit = async (...asked) => {
    const taskId = await client.submit(...asked);
    // The answer comes later than the person's Ctrl-C.
    stop.abort();
    await wait(100);
    return taskId;
  };
  const folder = temporaryFolder();
  const pictures = await Promise.all(
    ['a.jpg', 'b.jpg', 'c.jpg'].map(async (shown) => {
      const file = path.join(folder, shown);
      await writeFile(file, 'a picture');
      return { file, shown, folder: '', sizeBytes: 9 };
    }),
  );
  const run = runBatch(
    { pictures, problems: [], places: [], leftOut: 0 },
    {
      work: { operation: 'upscale', body: { scale: 2 } },
      outDir: folder,
      nameTemplate: '{name}-{scale}',
      onConflict: 'number',
    },
    { client: { ...client, submit }, places: noPlaces, report: noReport, signal: stop.signal },
  );
  await expect(run).rejects.toThrow(/abort/i);
  const { tasks } = await client.list(10);
  expect(tasks).not.toEqual([]);
  for (const { error } of tasks) expect(error?.code).toBe('CANCELLED');
});
