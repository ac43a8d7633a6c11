/** What the pool's queue costs with up to 100,000 waiting jobs in it, and how fast it hands them to a helper. */
import type { UpscaleJob } from '../../electron/engine/protocol/messages.ts';
import { helperSlots } from '../../packages/pool/src/help/helper.ts';
import { requestOf } from '../../packages/pool/src/job-travel.ts';
import type { PoolJob, PoolResult } from '../../packages/pool/src/messages.ts';
import {
  createHelpQueues,
  createSubmitQueues,
  openPoolServer,
  defaultTimes,
} from '../../packages/pool/src/queue/queue.ts';
import type { PoolServer } from '../../packages/pool/src/queue/server.ts';
import { timed } from './processors.ts';

const quiet = () => undefined;
/** Tasks that are added, and handed out, together. */
const some = 500;

/** A submitter keeps only some jobs in the queue; here all of them lie in it, as of very many submitters. */
export async function measureQueue(address: string, asked: UpscaleJob): Promise<void> {
  const opened = await openServer(address);
  const queues = createSubmitQueues(opened, { onProgress: quiet, onLost: quiet, onEnded: quiet });
  const job = waiting(asked);
  const rows: Record<string, Record<string, string>> = {};
  let made = 0;
  let there = 0;
  const fill = async (count: number) => {
    for (; there < count; there += some) {
      const adding = Array.from({ length: some }, (_, i) =>
        queues.add('bench', `job-${made + i}`, job, (i % 100) + 1),
      );
      made += some;
      await Promise.all(adding);
    }
  };
  for (const count of [0, 1000, 10_000, 100_000]) {
    await fill(count);
    const times = { add: 0, state: 0, remove: 0 };
    const turns = 200;
    for (let i = 0; i < turns; i += 1) {
      times.add += await timed(() => queues.add('bench', `own-${i}`, job, 1));
      times.state += await timed(() => queues.state('bench', `own-${i}`));
      times.remove += await timed(() => queues.remove('bench', `own-${i}`));
    }
    const ms = (sum: number, of = turns) => ((sum / of) * 1000).toFixed(2);
    const memory = /used_memory:(\d+)/.exec(await opened.quick.info('memory'))?.[1];
    rows[count] = {
      'add, ms': ms(times.add),
      'look at its state, ms': ms(times.state),
      'take out, ms': ms(times.remove),
      "the server's MB": (Number(memory) / 1e6).toFixed(0),
    };
    // They come on top, so that as many wait until the last one is handed out.
    await fill(count + some);
    const seconds = await timed(() => handOut(address, some));
    there = count;
    rows[count]['hand to a helper and take its answer, ms'] = ms(seconds, some);
    console.log(count, rows[count]);
  }
  await queues.close();
  opened.close();
  console.log('The queue with so many waiting jobs:');
  console.table(rows);
}

/** To a helper that has each done at once. */
async function handOut(address: string, count: number): Promise<void> {
  const server = await openServer(address);
  const all = Promise.withResolvers<undefined>();
  let done = 0;
  const queues = createHelpQueues(server, defaultTimes, ({ job: { source, attempt } }) => {
    done += 1;
    if (done === count) {
      all.resolve(undefined);
      queues.setSlots(0);
    }
    return Promise.resolve({
      helper: { id: 'a'.repeat(16), name: 'helper' },
      attempt,
      files: [{ role: 'result', parcel: source }],
      report: { notes: [] } as unknown as PoolResult['report'],
    });
  });
  queues.setSlots(helperSlots);
  queues.serve(['bench']);
  await all.promise;
  await queues.close();
  server.close();
}

/** With all that is asked of a photo. */
function waiting(job: UpscaleJob): PoolJob {
  const sha256 = '0'.repeat(64);
  return {
    version: 1,
    submitter: { id: 'b'.repeat(16), name: 'submitter' },
    taskId: job.jobId.slice(0, 36),
    attempt: 1,
    copy: 1,
    megapixels: 12,
    asked: requestOf(job),
    source: { name: `${'b'.repeat(16)}/${job.jobId}/source`, sizeBytes: 4_000_000, sha256 },
    folder: `${'b'.repeat(16)}/${job.jobId}`,
    notFor: [],
  };
}

export async function openServer(address: string): Promise<PoolServer> {
  const server = openPoolServer(address);
  await new Promise((resolve) => server.quick.once('ready', resolve));
  return server;
}
