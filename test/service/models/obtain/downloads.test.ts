import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelDescriptor } from '../../../../packages/contract/src/models/model.ts';
import type { ObtainableModel } from '../../../../packages/contract/src/models/obtainable.ts';
import { hasEnded } from '../../../../packages/contract/src/models/downloads.ts';
import { createDownloads } from '../../../../electron/service/models/obtain/downloads.ts';
import { fetchFile, redirectedTo } from '../../../../electron/service/models/obtain/fetch-file.ts';
import {
  installModel,
  readObtainable,
} from '../../../../electron/service/models/obtain/obtainable.ts';
import { modelsDir } from '../../../support/networks.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31) % 256));
const sha256 = createHash('sha256').update(content).digest('hex');

type Answer = (request: IncomingMessage, response: ServerResponse, calls: number) => void;

async function serve(answer: Answer): Promise<string> {
  let calls = 0;
  const server = createServer((request, response) => answer(request, response, (calls += 1)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/model`;
}

/** As a good server does, ranges included. */
const whole: Answer = (request, response) => {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': content.length - from,
    ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
  });
  response.end(content.subarray(from));
};

/** Half of it, and then nothing more. */
const half: Answer = (_request, response) => {
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, 90_000), () => setTimeout(() => response.destroy(), 20));
};

/** 90,000 of these bytes, broken off once some have come through; then it is out of order. */
const breakingOff =
  (bytes: Buffer, cameThrough: () => boolean): Answer =>
  (_request, response, calls) => {
    if (calls > 1) {
      response.writeHead(503).end();
      return;
    }
    response.writeHead(200, { 'content-length': content.length });
    response.write(bytes.subarray(0, 90_000));
    const timer = setInterval(() => {
      if (!cameThrough()) return;
      clearInterval(timer);
      response.destroy();
    }, 5);
  };

function fetching(urls: string[], more: Partial<Parameters<typeof fetchFile>[0]> = {}) {
  const toPath = path.join(temporaryFolder(), 'model');
  const file = { name: 'model', sizeBytes: content.length, sha256, urls };
  const seen: number[] = [];
  const run = fetchFile({
    file,
    toPath,
    signal: new AbortController().signal,
    onProgress: (bytes) => seen.push(bytes),
    pauseMs: 1,
    ...more,
  });
  return { run, toPath, seen };
}

describe('a file of a model', () => {
  it('comes whole, counted, and is in place only then', async () => {
    const { run, toPath, seen } = fetching([await serve(whole)]);
    expect(await run).toBe(sha256);
    expect((await readFile(toPath)).equals(content)).toBe(true);
    expect(seen.at(-1)).toBe(content.length);
    expect(existsSync(`${toPath}.part`)).toBe(false);
  });

  it('goes on where it broke off', async () => {
    const ranges: (string | undefined)[] = [];
    const came: number[] = [];
    const breaks = breakingOff(content, () => came.length > 0);
    const url = await serve((request, response, calls) => {
      ranges.push(request.headers.range);
      (calls === 1 ? breaks : whole)(request, response, calls);
    });
    const { run, toPath } = fetching([url], { onProgress: (bytes) => came.push(bytes) });
    await run;
    expect((await readFile(toPath)).equals(content)).toBe(true);
    expect(ranges[0]).toBeUndefined();
    expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it('is begun anew by a server that does not go on', async () => {
    const url = await serve((request, response, calls) => {
      if (calls === 1) half(request, response, calls);
      else response.writeHead(200).end(content);
    });
    const { run, toPath } = fetching([url]);
    await run;
    expect((await readFile(toPath)).equals(content)).toBe(true);
  });

  it('comes from the next address when one is gone, lies about its length or sends other bytes', async () => {
    const gone = await serve((_request, response) => response.writeHead(404).end());
    const long = await serve((_request, response) =>
      response.writeHead(200).end(Buffer.concat([content, content])),
    );
    const other = await serve((_request, response) =>
      response.writeHead(200).end(Buffer.alloc(content.length)),
    );
    const moved = await serve((request, response, calls) => {
      if (calls === 1) response.writeHead(302, { location: '/there' }).end();
      else whole(request, response, calls);
    });
    const { run, toPath } = fetching([gone, long, other, moved]);
    expect(await run).toBe(sha256);
    expect((await readFile(toPath)).equals(content)).toBe(true);
  });

  it('goes on at the next address from the very byte at which the first one broke off', async () => {
    const asked: string[] = [];
    const came: number[] = [];
    const breaks = breakingOff(content, () => came.length > 0);
    const first = await serve((request, response, calls) => {
      asked.push(`first ${request.headers.range ?? 'all'}`);
      breaks(request, response, calls);
    });
    const second = await serve((request, response, calls) => {
      asked.push(`second ${request.headers.range ?? 'all'}`);
      whole(request, response, calls);
    });
    const onProgress = (bytes: number) => came.push(bytes);
    const { run, toPath } = fetching([first, second], { onProgress });
    expect(await run).toBe(sha256);
    expect((await readFile(toPath)).equals(content)).toBe(true);
    const from = asked.at(-1)?.replace('second ', '');
    expect(from).toMatch(/^bytes=[1-9]\d*-$/);
    expect(asked).toEqual(['first all', `first ${from}`, `first ${from}`, `second ${from}`]);
    expect(came).toEqual(came.toSorted((a, b) => a - b));
  });

  it('is begun anew where the first part of it came wrong from another address', async () => {
    const came: number[] = [];
    const wrong = await serve(breakingOff(Buffer.alloc(90_000), () => came.length > 0));
    const onProgress = (bytes: number) => came.push(bytes);
    const { run, toPath } = fetching([wrong, await serve(whole)], { onProgress });
    expect(await run).toBe(sha256);
    expect((await readFile(toPath)).equals(content)).toBe(true);
  });

  it('whose hash is not published comes whole from one address', async () => {
    const ranges: (string | undefined)[] = [];
    const second = await serve((request, response, calls) => {
      ranges.push(request.headers.range);
      whole(request, response, calls);
    });
    const urls = [await serve(half), second];
    const { run } = fetching(urls, { file: { name: 'model', urls } });
    expect(await run).toBe(sha256);
    expect(ranges).toEqual([undefined]);
  });

  it('that no address has is refused with what each did, and leaves nothing in place', async () => {
    const gone = await serve((_request, response) => response.writeHead(404).end());
    const other = await serve((_request, response) =>
      response.writeHead(200).end(Buffer.alloc(content.length)),
    );
    const { run, toPath } = fetching([gone, other]);
    await expect(run).rejects.toThrow(/answered 404.*other bytes/s);
    expect(existsSync(toPath)).toBe(false);
  });

  it('that ends too early again and again is refused', async () => {
    const { run } = fetching([
      await serve((_request, response) => response.writeHead(200).end(content.subarray(0, 10))),
    ]);
    await expect(run).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE' });
  });

  it('stops when it is cancelled, and what came stays', async () => {
    const controller = new AbortController();
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 50_000));
    });
    const { run, toPath } = fetching([url], {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(existsSync(`${toPath}.part`)).toBe(true);
  });
});

/** As a proxy does for plain addresses: it is asked for the whole address, and passes the answer on. */
async function serveProxy(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    whole(request, response, asked.length);
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('a proxy', () => {
  it('is asked in place of the address, when it is set', async () => {
    const proxy = await serveProxy();
    const { run, toPath } = fetching(['http://models.invalid/net'], { proxy: proxy.url });
    expect(await run).toBe(sha256);
    expect((await readFile(toPath)).equals(content)).toBe(true);
    expect(proxy.asked.join()).toContain('models.invalid');
  });

  it('that lets nobody through is said', async () => {
    const proxy = await serveProxy();
    const { run } = fetching(['https://models.invalid/net'], { proxy: proxy.url });
    await expect(run).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE' });
    expect(proxy.asked[0]).toBe('models.invalid:443');
  });
});

describe('downloads', () => {
  const model = (urls: string[]): ObtainableModel => ({
    id: 'net',
    name: 'Net',
    bestFor: 'tests',
    description: 'For tests.',
    speedClass: 'fast',
    task: 'upscale',
    licence: 'MIT',
    author: 'Nobody',
    trainingData: 'none',
    homepage: 'http://127.0.0.1/',
    files: [{ name: 'net.onnx', sizeBytes: content.length, sha256, urls }],
  });

  function downloadsOf(urls: string[], mirror = '') {
    const brought: string[] = [];
    const downloads = createDownloads({
      things: [model(urls)],
      folder: temporaryFolder(),
      mirror: () => mirror,
      proxy: () => '',
      pauseMs: 1,
      install: (_model, files) => {
        brought.push(...files.map(({ name }) => name));
        return Promise.resolve({ id: 'net-2' });
      },
    });
    onTestFinished(() => downloads.close());
    const ended = () =>
      expect.poll(() => hasEnded(downloads.get('net') as never), { timeout: 30_000 }).toBe(true);
    return { downloads, brought, ended };
  }

  it('are shared by who asks twice, and end as an added model', async () => {
    let calls = 0;
    const url = await serve((request, response, count) => {
      calls += 1;
      whole(request, response, count);
    });
    const { downloads, brought, ended } = downloadsOf([url]);
    expect(downloads.start('net')).toMatchObject({ state: 'fetching', totalBytes: 200_000 });
    downloads.start('net');
    await ended();
    expect(downloads.get('net')).toMatchObject({
      state: 'finished',
      addedId: 'net-2',
      receivedBytes: 200_000,
    });
    expect([brought, calls]).toEqual([['net.onnx'], 1]);
  });

  it('look at the mirror first', async () => {
    const url = await serve((request, response, count) => {
      expect(request.url).toBe('/model/net.onnx');
      whole(request, response, count);
    });
    const { downloads, ended } = downloadsOf(['http://127.0.0.1:1/never'], url);
    downloads.start('net');
    await ended();
    expect(downloads.get('net')).toMatchObject({ state: 'finished' });
  });

  it('go on at the publisher from the byte at which the mirror broke off', async () => {
    const ranges: (string | undefined)[] = [];
    const publisher = await serve((request, response, calls) => {
      ranges.push(request.headers.range);
      whole(request, response, calls);
    });
    let receivedBytes = 0;
    const mirror = await serve(breakingOff(content, () => receivedBytes > 0));
    const { downloads, ended } = downloadsOf([publisher], mirror);
    downloads.start('net');
    downloads.subscribe('net', (download) => (receivedBytes = download.receivedBytes));
    await ended();
    expect(downloads.get('net')).toMatchObject({
      state: 'finished',
      receivedBytes: content.length,
    });
    expect(ranges).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  });

  it('say why they failed, and know only what is listed', async () => {
    const gone = await serve((_request, response) => response.writeHead(404).end());
    const { downloads, ended } = downloadsOf([gone]);
    downloads.start('net');
    await ended();
    expect(downloads.get('net')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('404') as string,
    });
    expect(() => downloads.start('other')).toThrow(/There are net/);
  });
});

it('what enlargers that can be had take of memory was measured', () => {
  const unknown = readObtainable(modelsDir).filter(
    ({ task, memoryMegabytes }) => task === 'upscale' && memoryMegabytes === undefined,
  );
  expect(unknown).toEqual([]);
});

it('a model with a twin comes as two, that can be blended', async () => {
  const model = readObtainable(modelsDir).find(({ twinName }) => twinName !== undefined);
  if (!model) throw new Error('There is one with a twin');
  const brought: [string[], string | undefined][] = [];
  const importFiles = (files: { name: string }[], { name }: { name?: string | undefined }) => {
    brought.push([files.map((file) => file.name), name]);
    return Promise.resolve({ id: `n${brought.length}` } as ModelDescriptor);
  };
  const files = model.files.map(({ name }) => ({ name, path: name, sha256: '' }));
  const { signal } = new AbortController();
  expect(await installModel({ importFiles }, model, files, signal)).toEqual({ id: 'n1' });
  expect(brought).toEqual([
    [['realesr-general-x4v3.pth'], 'Real-ESRGAN general'],
    [['realesr-general-wdn-x4v3.pth'], 'Real-ESRGAN general, weak cleaning'],
  ]);
});

it('what can be had is listed with licence, training data, published hash and secure addresses', () => {
  const models = readObtainable(modelsDir);
  expect(models.length).toBeGreaterThanOrEqual(14);
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
  for (const { files, licence } of models) {
    expect(licence).not.toMatch(/NC|non-commercial/i);
    for (const { urls, sha256: hash } of files) {
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      for (const url of urls) expect(url).toMatch(/^https:/);
    }
  }
});

describe('redirects of a download', () => {
  it('lead from https to https only, and from the network of a mirror further', () => {
    expect(redirectedTo('https://a.example/x', '/y')).toBe('https://a.example/y');
    expect(redirectedTo('https://a.example/x', 'https://b.example/')).toBe('https://b.example/');
    expect(redirectedTo('http://nas/x', 'http://nas/y')).toBe('http://nas/y');
    for (const to of ['http://a.example/', '//[', 'file:///etc/passwd', 'data:,x'])
      expect(() => redirectedTo('https://a.example/x', to)).toThrow(/not https/);
    expect(() => redirectedTo('http://nas/x', 'file:///etc/passwd')).toThrow(/not https/);
  });

  it('are followed to the file, and given up when they never end', async () => {
    const file = await serve(whole);
    const to = path.join(temporaryFolder(), 'model');
    const fetching = (url: string) =>
      fetchFile({
        file: { name: 'model', sha256, urls: [url] },
        toPath: to,
        signal: new AbortController().signal,
        onProgress: () => undefined,
        pauseMs: 1,
      });
    const redirecting = await serve((_request, response) => {
      response.writeHead(302, { location: file }).end();
    });
    await fetching(redirecting);
    expect((await readFile(to)).equals(content)).toBe(true);
    const circling = await serve((_request, response) => {
      response.writeHead(302, { location: '/again' }).end();
    });
    await expect(fetching(circling)).rejects.toThrow(/more than 10 times/);
  });
});
