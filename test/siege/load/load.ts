/**
 * All load at once, while pictures are enlarged: how a good client fares, what it costs, and who misses an event.
 * The good client and the readers are processes of their own, so that no time is measured but the service's.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { StatusCounts } from '../../../packages/contract/src/task.ts';
import type { HeadlessService } from '../../support/headless.ts';
import { liveBytes } from '../probed-service.ts';
import { smallPicture } from '../pictures.ts';
import { hangMs, residentBytes } from '../service-cost.ts';
import { attempt, expectThat, type Row } from '../table.ts';
import {
  startClient,
  type Call,
  type GoodTold,
  type ReadersAsked,
  type ReadersTold,
} from './messages.ts';

export interface Load {
  submits: number;
  clients: number;
  readers: number;
  /** Of them, those that never read. */
  deaf: number;
  /** Of them, those that do not read for a long time, and then go on. */
  lame: number;
  slow: number;
}

const maxBytes = 400e6;
/** Objects and buffers after a collection: a leak shows here, not in what V8 has not freed yet. */
const maxLiveBytes = 150e6;

/** @param dataDir of the service, which is one of startProbed() */
export async function load(service: HeadlessService, dataDir: string, given: Load): Promise<Row> {
  const row: Row = {
    attack: `${given.submits} submits of ${given.clients}, ${given.readers} readers, ${given.deaf} of them deaf, ${given.lame} lame, ${given.slow} slow callers`,
    outcome: `99 of 100 calls of a good client wait for at most one submit of each of the others, service under ${maxBytes / 1e6} MB and ${maxLiveBytes / 1e6} MB after a collection, no event missing`,
    attempts: 0,
    failures: [],
  };
  const { url, key } = service;
  const lameUntil = Math.floor(0.7 * given.submits);
  const asked: ReadersAsked = { ...given, lameUntil, url, key };
  const readers = await startClient<string[], ReadersTold>('readers.ts', asked);
  const good = await startClient<object, GoodTold>('good-client.ts', { url, key });
  const slow = Array.from({ length: given.slow }, (_, i) => dripping(service, i % 2 === 0));
  const size = watchSize(service.pid);
  try {
    const begun = performance.now();
    const { taskIds, answeredAt } = await submitAll(service, given, row);
    const seconds = (performance.now() - begun) / 1000;
    await wait(3000);
    const { calls } = await good.ask({});
    const times = calls.map(({ from, to }) => to - from).toSorted((a, b) => a - b);
    const submitsWithin = calls
      .map((call) => countWithin(answeredAt, call))
      .toSorted((a, b) => a - b);
    await untilQuiet(service);
    const liveMegabytes = (await liveBytes(service, dataDir)) / 1e6;
    const told = await readers.ask(taskIds);
    const maxMegabytes = size.maxBytes() / 1e6;
    const p99 = partOf(submitsWithin, 0.99);
    row.figures =
      `p50 ${partOf(times, 0.5).toFixed(0)} ms, p99 ${partOf(times, 0.99).toFixed(0)} ms and ${p99} submits, longest ${times.at(-1)?.toFixed(0)} ms and ${submitsWithin.at(-1)} submits of ${times.length} calls; ` +
      `${maxMegabytes.toFixed(0)} MB, ${liveMegabytes.toFixed(0)} after a collection; ${taskIds.length} acknowledged in ${seconds.toFixed(0)} s; ` +
      `readers cut off and gone on ${told.resumed} times`;
    const judge = (holds: boolean, sentence: string) =>
      attempt(row, 'judgement', async () => expectThat(await Promise.resolve(holds), sentence));
    await judge(p99 <= given.clients, `99 of 100 calls wait for ${p99} submits`);
    await judge(maxMegabytes < maxBytes / 1e6, `it took ${maxMegabytes.toFixed(0)} MB`);
    await judge(liveMegabytes < maxLiveBytes / 1e6, `it kept ${liveMegabytes.toFixed(0)} MB`);
    await judge(told.missing === 0, `${told.missing} readers were not told of every submit`);
    await judge(told.differing === 0, `${told.differing} readers were told other changes`);
    await judge(told.resets === 0, `readers were told ${told.resets} times to list anew`);
  } finally {
    size.end();
    good.end();
    readers.end();
    for (const socket of slow) socket.destroy();
  }
  return row;
}

/** @param sorted ascending */
const partOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(share * sorted.length)] ?? Infinity;

const countWithin = (times: readonly number[], { from, to }: Call): number =>
  times.filter((time) => time > from && time < to).length;

async function submitAll(service: HeadlessService, given: Load, row: Row) {
  const taskIds: string[] = [];
  /** Milliseconds since 1970. */
  const answeredAt: number[] = [];
  const picture = await smallPicture(1);
  const client = async (first: number) => {
    for (let i = first; i < given.submits; i += given.clients)
      await attempt(row, `submit ${i}`, async () => {
        taskIds.push(await service.submit(picture, { model: 'faithful', scale: 2 }));
        answeredAt.push(performance.timeOrigin + performance.now());
      });
  };
  await Promise.all(Array.from({ length: given.clients }, (_, first) => client(first)));
  return { taskIds, answeredAt };
}

/** Until nothing runs, and so nothing changes any more. */
async function untilQuiet(service: HeadlessService): Promise<void> {
  const { ok, status } = await service.call('POST', '/api/queue/pause');
  expectThat(ok, `pausing answered ${status}`);
  const ends = performance.now() + hangMs;
  while (performance.now() < ends) {
    const response = await service.call('GET', '/api/queue');
    const { counts } = (await response.json()) as { counts: StatusCounts };
    if (counts.PROCESSING === 0) return;
    await wait(200);
  }
}

/** The resident size, five times a second. */
function watchSize(pid: number) {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pid));
  }, 200);
  return { maxBytes: () => most, end: () => clearInterval(timer) };
}

/** Headers, or a body, of which a byte comes now and then. */
function dripping(service: HeadlessService, ofBody: boolean): Socket {
  const { host, port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = `POST /api/image-upscaler HTTP/1.1\r\nHost: ${host}\r\nAuthorization: KEY ${service.key}\r\n`;
  socket.write(
    ofBody ? `${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{` : head,
  );
  const timer = setInterval(() => socket.write(ofBody ? ' ' : 'X-A: b\r\n'), 500);
  socket.on('close', () => clearInterval(timer)).resume();
  return socket;
}
