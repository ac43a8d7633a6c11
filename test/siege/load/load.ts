/**
 * All load at once, while pictures are enlarged: how a good client fares, what it costs, and who misses an event.
 * The good client and the readers are processes of their own, so that no time is measured but the service's.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { StatusCounts } from '../../../electron/contract/task.ts';
import type { HeadlessService } from '../../support/headless.ts';
import { smallPicture } from '../pictures.ts';
import { attempt, expectThat, type Row } from '../table.ts';
import { startClient, type GoodTold, type ReadersAsked, type ReadersTold } from './messages.ts';

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

const maxMs = 250;
const maxBytes = 400e6;

export async function load(service: HeadlessService, given: Load): Promise<Row> {
  const row: Row = {
    attack: `${given.submits} submits of ${given.clients}, ${given.readers} readers, ${given.deaf} of them deaf, ${given.lame} lame, ${given.slow} slow callers`,
    outcome: `a good client's p99 under ${maxMs} ms, service under ${maxBytes / 1e6} MB, no event missing`,
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
    const taskIds = await submitAll(service, given, row);
    const seconds = (performance.now() - begun) / 1000;
    await wait(3000);
    const times = (await good.ask({})).times.toSorted((a, b) => a - b);
    await untilQuiet(service);
    const told = await readers.ask(taskIds);
    const maxMegabytes = size.maxBytes() / 1e6;
    const at = (share: number) => times[Math.floor(share * times.length)] ?? Infinity;
    row.figures =
      `p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms of ${times.length} calls; ` +
      `${maxMegabytes.toFixed(0)} MB; ${taskIds.length} acknowledged in ${seconds.toFixed(0)} s; ` +
      `readers cut off and gone on ${told.resumed} times`;
    const judge = (holds: boolean, sentence: string) =>
      attempt(row, 'judgement', async () => expectThat(await Promise.resolve(holds), sentence));
    await judge(at(0.99) < maxMs, `p99 is ${at(0.99).toFixed(0)} ms`);
    await judge(maxMegabytes < maxBytes / 1e6, `it took ${maxMegabytes.toFixed(0)} MB`);
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

async function submitAll(service: HeadlessService, given: Load, row: Row): Promise<string[]> {
  const taskIds: string[] = [];
  const picture = await smallPicture(1);
  const client = async (first: number) => {
    for (let i = first; i < given.submits; i += given.clients)
      await attempt(row, `submit ${i}`, async () => {
        taskIds.push(await service.submit(picture, { model: 'faithful', scale: 2 }));
      });
  };
  await Promise.all(Array.from({ length: given.clients }, (_, first) => client(first)));
  return taskIds;
}

/** Until nothing runs, and so nothing changes any more. */
async function untilQuiet(service: HeadlessService): Promise<void> {
  const { ok, status } = await service.call('POST', '/api/queue/pause');
  expectThat(ok, `pausing answered ${status}`);
  for (let i = 0; i < 300; i += 1) {
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
    const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
    most = Math.max(most, Number(pages) * 4096);
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
