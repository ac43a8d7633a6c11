/** All load at once, while pictures are enlarged: how a good client fares, what it costs, and who misses an event. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { HeadlessService } from '../support/headless.ts';
import { smallPicture } from './pictures.ts';
import { attempt, expectThat, type Row } from './table.ts';

export interface Load {
  submits: number;
  clients: number;
  readers: number;
  /** Of them, those that never read. */
  deaf: number;
  slow: number;
}

const mostMs = 250;
const mostBytes = 400e6;

export async function load(service: HeadlessService, given: Load): Promise<Row> {
  const row: Row = {
    attack: `${given.submits} submits of ${given.clients}, ${given.readers} readers, ${given.deaf} of them deaf, ${given.slow} slow`,
    outcome: `a good client's p99 under ${mostMs} ms, service under ${mostBytes / 1e6} MB, no event missing`,
    attempts: 0,
    failures: [],
  };
  const sockets: Socket[] = [];
  const seen = Array.from({ length: given.readers - given.deaf }, () => ({ count: 0, text: '' }));
  for (let i = 0; i < given.readers; i += 1) {
    const socket = reader(service);
    sockets.push(socket);
    const own = seen[i - given.deaf];
    if (own === undefined) socket.pause();
    else socket.on('data', (chunk: Buffer) => (own.count += countOf(chunk, own)));
  }
  for (let i = 0; i < given.slow; i += 1) sockets.push(dripping(service, i % 2 === 0));
  const times: number[] = [];
  const good = new AbortController();
  const measuring = goodClient(service, times, good.signal);
  let most = 0;
  const sizing = setInterval(() => (most = Math.max(most, residentBytes(service.pid))), 200);
  const told: string[] = [];
  const picture = await smallPicture(1);
  await Promise.all(
    Array.from({ length: given.clients }, async (_, client) => {
      for (let i = client; i < given.submits; i += given.clients)
        await attempt(row, `submit ${i}`, async () => {
          told.push(await service.submit(picture, { model: 'faithful', scale: 2 }));
        });
    }),
  );
  await wait(3000);
  good.abort();
  await measuring;
  clearInterval(sizing);
  const sorted = times.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(0.99 * sorted.length)] ?? Infinity;
  const pending = seen.filter(({ count }) => count < told.length).length;
  row.figures = `p50 ${(sorted[sorted.length >> 1] ?? 0).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${times.length} calls, ${(most / 1e6).toFixed(0)} MB, ${told.length} acknowledged`;
  const judge = (holds: boolean, sentence: string) =>
    attempt(row, 'judgement', async () => expectThat(await Promise.resolve(holds), sentence));
  await judge(p99 < mostMs, `p99 is ${p99.toFixed(0)} ms`);
  await judge(most < mostBytes, `it took ${(most / 1e6).toFixed(0)} MB`);
  await judge(pending === 0, `${pending} readers were not told of every submit`);
  for (const socket of sockets) socket.destroy();
  return row;
}

function residentBytes(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
  return Number(pages) * 4096;
}

function open({ url }: HeadlessService): Socket {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  return socket;
}

function reader(service: HeadlessService): Socket {
  const { host } = new URL(service.url);
  const socket = open(service);
  socket.write(
    `GET /api/tasks/sse HTTP/1.1\r\nHost: ${host}\r\nAuthorization: KEY ${service.key}\r\n\r\n`,
  );
  return socket;
}

/** New tasks that it was told of, as they wait for the first time. */
function countOf(chunk: Buffer, own: { text: string }): number {
  const lines = (own.text + chunk.toString('latin1')).split('\n');
  own.text = lines.pop() ?? '';
  return lines.filter((line) => line.startsWith('data: ') && line.includes('"attempts":0')).length;
}

/** Headers, or a body, of which a byte comes now and then. */
function dripping(service: HeadlessService, ofBody: boolean): Socket {
  const { host } = new URL(service.url);
  const socket = open(service);
  const head = `POST /api/image-upscaler HTTP/1.1\r\nHost: ${host}\r\nAuthorization: KEY ${service.key}\r\n`;
  socket.write(
    ofBody ? `${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{` : head,
  );
  const timer = setInterval(() => socket.write(ofBody ? ' ' : 'X-A: b\r\n'), 500);
  socket.on('close', () => clearInterval(timer)).resume();
  return socket;
}

async function goodClient(service: HeadlessService, times: number[], signal: AbortSignal) {
  while (!signal.aborted) {
    const begun = performance.now();
    await (await service.call('GET', '/api/tasks?limit=20')).text();
    times.push(performance.now() - begun);
    await wait(20);
  }
}
