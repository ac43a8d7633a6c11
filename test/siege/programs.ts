/** What programs with a key, servers that pictures are fetched from and other users of the machine tried. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { untilEnded, type HeadlessService } from '../support/headless.ts';
import type { Attack } from './attacks.ts';
import { enlargeOne, startOnCpu } from './kills.ts';
import { smallPicture } from './pictures.ts';
import { hangMs, processorSeconds } from './service-cost.ts';
import { attempt, expectThat, type Row } from './table.ts';

/** After a key is revoked, until what it had open has to be closed. */
const callsUntilEnded = 100;

export const programAttacks: Attack[] = [
  [
    'a revoked key with a stream and an upload open',
    `both end before ${callsUntilEnded} further calls are answered, and the key opens nothing`,
    async ({ service }, row) => {
      for (let i = 0; i < 20; i += 1)
        await attempt(row, `key ${i}`, async () => {
          const made = await service.call('POST', '/api/keys', { name: `siege ${i}` });
          const { id, key } = (await made.json()) as { id: string; key: string };
          const headers = { authorization: `KEY ${key}` };
          const stream = request(`${service.url}/api/tasks/sse`, { headers });
          stream.on('error', () => undefined).end();
          const [answer] = (await once(stream, 'response')) as [IncomingMessage];
          const streamEnds = ended(answer.on('error', () => undefined).resume());
          const upload = request(`${service.url}/api/uploads`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'image/png', 'content-length': '1000000' },
          });
          const uploadEnds = ended(upload.on('error', () => undefined));
          upload.write(Buffer.alloc(1000));
          await wait(50);
          const { status } = await service.call('DELETE', `/api/keys/${id}`);
          expectThat(status === 204, `revoking answered ${status}`);
          const over = new AbortController();
          const { signal } = over;
          void Promise.all([streamEnds, uploadEnds]).then(() => over.abort());
          for (let calls = 0; calls < callsUntilEnded && !signal.aborted; calls += 1)
            await (await service.call('GET', '/api/queue')).text();
          expectThat(signal.aborted, 'one is still open');
          const again = await fetch(`${service.url}/api/tasks`, { headers });
          expectThat(again.status === 401, `it still answers ${again.status}`);
        });
    },
  ],
  [
    "a thousand pages' session keys",
    "the application's own key lives on",
    async ({ service }, row) => {
      const made = await service.call('POST', '/api/sessions');
      const { key } = (await made.json()) as { key: string };
      for (let i = 0; i < 1001; i += 1)
        await attempt(row, `session ${i}`, async () => {
          const { status } = await service.call('POST', '/api/sessions');
          expectThat(status < 500, `answered ${status}`);
        });
      const { status } = await service.call('GET', '/api/settings');
      expectThat(status === 200, `the key of the data folder answers ${status}`);
      const headers = { authorization: `KEY ${key}` };
      const old = await fetch(`${service.url}/api/settings`, { headers });
      expectThat(old.status === 200 || old.status === 401, `a page's answers ${old.status}`);
    },
  ],
  [
    "sources at this machine's own addresses",
    'SOURCE_REFUSED',
    async ({ service }, row) => {
      const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
      const { port } = new URL(service.url);
      for (const { address, family } of own)
        await attempt(row, address, async () => {
          const host = family === 'IPv6' ? `[${address.split('%')[0]}]` : address;
          const imageUrl = `http://${host}:${port}/api/health`;
          const answer = await service.call('POST', '/api/image-upscaler', { imageUrl });
          if (answer.status === 400) return;
          const { taskId } = (await answer.json()) as { taskId: string };
          const { error } = await untilEnded(service, taskId, hangMs);
          expectThat(error?.code === 'SOURCE_REFUSED', error?.code ?? 'no error');
        });
    },
  ],
];

const ended = (stream: NodeJS.EventEmitter) =>
  new Promise<void>((resolve) => void stream.once('close', resolve));

/** Servers that send a byte now and then hold up nobody's photo and are given up. */
export async function dripSources(home: string): Promise<Row> {
  const row: Row = {
    attack: 'sources that drip',
    outcome: 'other photos are enlarged meanwhile; each is given up',
    attempts: 0,
    failures: [],
  };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1000000' });
    const timer = setInterval(() => response.write('x'), 500);
    response.on('close', () => clearInterval(timer)).on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service = await startOnCpu(path.join(home, 'data'), ['--allow-local-sources']);
  try {
    const dripping = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        service.submit(`http://127.0.0.1:${port}/${i}.png`, { model: 'faithful' }),
      ),
    );
    await wait(3000);
    for (let i = 0; i < 5; i += 1)
      await attempt(row, `photo ${i} beside them`, () => enlargeOne(service, i));
    for (const taskId of dripping)
      await attempt(row, 'a dripping source', async () => {
        const { error } = await untilEnded(service, taskId, hangMs);
        expectThat(error?.code === 'SOURCE_UNREACHABLE', error?.code ?? 'no error');
      });
  } finally {
    await service.end('SIGTERM');
    server.closeAllConnections();
    server.close();
  }
  return row;
}

/** Files of the work cannot be removed: folders that only take files, as a scanner would hold them elsewhere. */
export async function holdScratch(home: string): Promise<Row> {
  const row: Row = {
    attack: 'scratch files that cannot be removed',
    outcome: 'every photo FINISHED with its result',
    attempts: 0,
    failures: [],
  };
  const dataDir = path.join(home, 'data');
  const service = await startOnCpu(dataDir);
  const scratch = path.join(dataDir, 'scratch');
  mkdirSync(scratch, { recursive: true });
  if (!onlyTakes(scratch, true)) {
    row.figures = 'left out: no folder can be held here';
    await service.end('SIGTERM');
    return row;
  }
  try {
    for (let i = 0; i < 5; i += 1) await attempt(row, `photo ${i}`, () => enlargeOne(service, i));
    const left = readdirSync(scratch).length;
    row.figures = `${left} could not be removed`;
    await attempt(row, 'what is held', async () => {
      expectThat(await Promise.resolve(left > 0), 'nothing was held');
    });
  } finally {
    onlyTakes(scratch, false);
    await service.end('SIGTERM');
  }
  return row;
}

/** A folder in which files can be made and none removed (ext4's append-only). */
function onlyTakes(folder: string, isSet: boolean): boolean {
  try {
    execFileSync('chattr', [isSet ? '+a' : '-a', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** One that works on a large photo while hostile ones wait behind it and are looked at. */
export async function poisonBeside(
  service: HeadlessService,
  poison: readonly (readonly [string, Buffer])[],
  maxSeconds: number,
  row: Row,
): Promise<void> {
  let highest = 0;
  for (const [what, bytes] of poison)
    await attempt(row, what, async () => {
      const before = processorSeconds(service.pid);
      const innocent = await service.submit(await smallPicture(5), { model: 'faithful', scale: 4 });
      const imageUrl = `data:;base64,${bytes.toString('base64')}`;
      const thumbnail = service.call('POST', '/api/thumbnails', { imageUrl });
      const taskId = await service.submit(imageUrl, { model: 'faithful' });
      const looked = await thumbnail;
      expectThat(looked.status < 500, `its thumbnail answered ${looked.status}`);
      const { error } = await untilEnded(service, taskId, hangMs);
      expectThat(error?.code !== 'ENGINE_CRASHED', 'the engine died of it');
      const { status } = await untilEnded(service, innocent, hangMs);
      expectThat(status === 'FINISHED', `the photo beside it is ${status}`);
      const seconds = processorSeconds(service.pid) - before;
      highest = Math.max(highest, seconds);
      expectThat(seconds < maxSeconds, `it cost ${seconds.toFixed(1)} processor seconds`);
    });
  row.figures = `at most ${highest.toFixed(1)} processor seconds each`;
}
