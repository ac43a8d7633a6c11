/**
 * How fast the built service answers, also while a task runs: `npm run bench:requests`.
 * All times are a client's, from sending to having the whole answer or event; milliseconds.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { StartLine } from '../../packages/contract/src/settings/settings.ts';
import type { TaskChange } from '../../packages/contract/src/task.ts';
import { anonymousBytes } from '../../electron/engine/host/engine-process.ts';
import { asSharp, photo } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const entry = path.resolve(import.meta.dirname, '../../out/main/headless.js');
const submits = 1000;
const clients = 4;
const submitsPerSecond = 50;
const cancels = 300;
const starts = 10;

interface Bench extends StartLine {
  child: ChildProcess;
  key: string;
  startedMs: number;
}

async function start(dataDir: string): Promise<Bench> {
  const begun = performance.now();
  const child = spawn(process.execPath, [entry, '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const started = JSON.parse(line) as StartLine;
  await call({ ...started, key: '' }, new Agent(), 'GET', '/api/health');
  const startedMs = performance.now() - begun;
  const key = (await readFile(started.keyFile, 'utf8')).trim();
  return { ...started, child, key, startedMs };
}

async function end({ child }: Bench): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Resolves with the answer when its body has come; the time it took stands beside it. */
async function call(
  { url, key }: Pick<Bench, 'url' | 'key'>,
  agent: Agent,
  method: string,
  route: string,
  body?: string | Buffer,
): Promise<{ ms: number; text: string }> {
  const begun = performance.now();
  const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
  const headers = {
    authorization: `KEY ${key}`,
    ...(body !== undefined && { 'content-type': type }),
  };
  const sent = request(url + route, { method, agent, headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  if (answer.statusCode !== 200) throw new Error(`${method} ${route}: ${text}`);
  return { ms: performance.now() - begun, text };
}

/** Called for every change as it arrives. */
async function watch(bench: Bench, onChange: (change: TaskChange) => void): Promise<void> {
  const headers = { authorization: `KEY ${bench.key}` };
  const sent = request(`${bench.url}/api/tasks/sse`, { headers });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const parser = createParser({ onEvent: ({ data }) => onChange(JSON.parse(data) as TaskChange) });
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => parser.feed(chunk));
}

/** The submitted tasks are of the same photo, so that one runs from the first submit to the last. */
async function uploadPhoto(bench: Bench): Promise<string> {
  const bytes = await asSharp(photo(4000, 3000)).jpeg().toBuffer();
  const { text } = await call(bench, new Agent(), 'POST', '/api/uploads?name=photo.jpg', bytes);
  return (JSON.parse(text) as { imageUrl: string }).imageUrl;
}

async function submit(bench: Bench, agent: Agent, imageUrl: string) {
  const body = JSON.stringify({ imageUrl, scale: 2 });
  const { ms, text } = await call(bench, agent, 'POST', '/api/image-upscaler', body);
  return { ms, taskId: (JSON.parse(text) as { taskId: string }).taskId };
}

/** Each client sends at its own even beat, whether or not the answer before has come. */
async function submitAll(bench: Bench, imageUrl: string) {
  const everyMs = (1000 * clients) / submitsPerSecond;
  const begun = performance.now();
  const client = async (offset: number) => {
    const agent = new Agent({ keepAlive: true });
    const sent: ReturnType<typeof submit>[] = [];
    for (let i = 0; i < submits / clients; i++) {
      const dueMs = begun + i * everyMs + (offset * everyMs) / clients;
      await wait(Math.max(0, dueMs - performance.now()));
      sent.push(submit(bench, agent, imageUrl));
    }
    const answers = await Promise.all(sent);
    agent.destroy();
    return answers;
  };
  return (await Promise.all(Array.from({ length: clients }, (_, i) => client(i)))).flat();
}

/** From sending a cancel to having its event: more than the change itself takes to arrive. */
async function measureEvents(bench: Bench, ids: string[], heard: Map<string, number>) {
  const agent = new Agent({ keepAlive: true });
  const taken: number[] = [];
  for (const taskId of ids) {
    const begun = performance.now();
    await call(bench, agent, 'POST', `/api/task/${taskId}/cancel`);
    for (const giveUp = begun + 5000; !heard.has(taskId) && performance.now() < giveUp;)
      await wait(1);
    taken.push((heard.get(taskId) ?? Infinity) - begun);
  }
  agent.destroy();
  return taken;
}

function row(times: number[], target: string) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? NaN).toFixed(1);
  return { n: times.length, p50: at(0.5), p99: at(0.99), most: at(1), target };
}

/** Anonymous memory of the service, in megabytes. */
const memoryOf = ({ child }: Bench) => (anonymousBytes(child.pid ?? 0) ?? NaN) / 1e6;

async function measureWhileRunning(dataDir: string) {
  const bench = await start(dataDir);
  const failed = new Map<string, number>();
  let runs = 0;
  await watch(bench, ({ taskId, status }) => {
    if (status === 'FAILED') failed.set(taskId, performance.now());
    if (status === 'PROCESSING') runs += 1;
  });
  const imageUrl = await uploadPhoto(bench);
  await submit(bench, new Agent(), imageUrl);
  while (runs < 3) await wait(50);
  const answers = await submitAll(bench, imageUrl);
  const ids = answers.map(({ taskId }) => taskId).slice(-cancels);
  const events = await measureEvents(bench, ids, failed);
  const megabytes = memoryOf(bench);
  await end(bench);
  return { submitMs: answers.map(({ ms }) => ms), eventMs: events, megabytes };
}

async function measureStarts(dataDir: string): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < starts; i++) {
    const bench = await start(dataDir);
    taken.push(bench.startedMs);
    await end(bench);
  }
  return taken;
}

const dataDir = temporaryFolder();
const started = await measureStarts(dataDir);
const { submitMs, eventMs, megabytes } = await measureWhileRunning(dataDir);
console.table({
  'submit, while a task runs': row(submitMs, 'p99 < 30'),
  'change of state to SSE client': row(eventMs, 'p99 < 50'),
  'start of the process to first answer': row(started, '<= 700'),
});
console.log(`Anonymous memory of the service after that: ${megabytes.toFixed(0)} MB`);
