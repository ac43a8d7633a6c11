import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import {
  fetchUrl,
  type FetchUrlOptions,
} from '../../../../electron/service/sources/remote/fetch-url.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A server on 127.0.0.1; its URL. */
async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function options(more: Partial<FetchUrlOptions> = {}): FetchUrlOptions {
  const toPath = path.join(temporaryFolder(), 'source');
  const signal = new AbortController().signal;
  return { toPath, maxBytes: 1000, allowLocal: true, signal, ...more };
}

/** The code that fetching fails with; fails itself when a file is left behind. */
async function failureOf(url: string, more: Partial<FetchUrlOptions> = {}): Promise<string> {
  const given = options(more);
  const error: unknown = await fetchUrl(url, given).then(
    () => 'fetched',
    (thrown: unknown) => thrown,
  );
  expect(existsSync(given.toPath)).toBe(false);
  return error instanceof EnlargerError ? `${error.code}: ${error.message}` : String(error);
}

describe('fetching a source', () => {
  it('says without the words of OpenSSL that a server does not speak HTTPS', async () => {
    const url = await serve((_request, response) => response.end('abc'));
    expect(await failureOf(url.replace('http:', 'https:'))).toMatch(
      /^SOURCE_UNREACHABLE: 127\.0\.0\.1:\d+ does not speak HTTPS there\.$/,
    );
  });

  it('writes the bytes and tells their size and hash', async () => {
    const url = await serve((_request, response) => response.end('abc'));
    const given = options();
    expect(await fetchUrl(`${url}/a.jpg`, given)).toEqual({
      sizeBytes: 3,
    });
    expect(await readFile(given.toPath, 'utf8')).toBe('abc');
  });

  it('sends no cookie and no key, and credentials to their own origin only', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end('abc');
    });
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      expect(request.headers.cookie).toBeUndefined();
      response.writeHead(302, { location: `${other}/b` }).end();
    });
    await fetchUrl(url.replace('http://', 'http://me:p%40ss@'), options());
    expect(seen).toEqual([`Basic ${Buffer.from('me:p@ss').toString('base64')}`, undefined]);
  });

  it('follows five redirects and no more', async () => {
    const url = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('abc');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect((await fetchUrl(`${url}/5`, options())).sizeBytes).toBe(3);
    expect(await failureOf(`${url}/6`)).toMatch(/^SOURCE_UNREACHABLE: .*more than 5 times/);
  });

  it('is refused for this machine and private networks, by address, name and redirect', async () => {
    let asked = 0;
    const url = await serve((_request, response) => response.end(String(++asked)));
    const { port } = new URL(url);
    const refuse = { allowLocal: false };
    const addresses = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0x7f.1',
      '2130706433',
      '[::ffff:7f00:1]',
    ];
    for (const host of [...addresses, '[64:ff9b::7f00:1]', '169.254.169.254', '10.1.2.3'])
      expect([host, await failureOf(`http://${host}:${port}/`, refuse)]).toEqual([
        host,
        expect.stringMatching(/^SOURCE_REFUSED: .*allowLocalSources/),
      ]);
    const resolve = () =>
      Promise.resolve([
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    expect(await failureOf('http://two.example/', { ...refuse, resolve })).toMatch(
      /^SOURCE_REFUSED/,
    );
    expect(asked).toBe(0);
  });

  it('checks the address of each redirect, and its scheme', async () => {
    let target = '';
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: target }).end(),
    );
    const { port } = new URL(url);
    // The first name is allowed by its address; the connection goes to the server of this test.
    const resolve = (name: string) =>
      Promise.resolve([
        { address: name === 'start.example' ? '127.0.0.1' : '224.0.0.1', family: 4 },
      ]);
    const refused = { 'http://other.example/': '224.0.0.1', 'http://[ff02::1]/': 'ff02::1' };
    for (const [location, address] of Object.entries(refused)) {
      target = location;
      const failure = await failureOf(`http://start.example:${port}/`, { resolve });
      expect(failure).toMatch(/^SOURCE_REFUSED/);
      expect(failure).toContain(address);
    }
    for (const location of ['file:///etc/passwd', 'data:,x', 'ftp://a.example/'])
      expect([(target = location), await failureOf(url)]).toEqual([
        location,
        expect.stringMatching(/^SOURCE_REFUSED: .*only http: and https:/),
      ]);
  });

  it('connects to the address that was checked, not to what the name is a moment later', async () => {
    const url = await serve((request, response) => response.end(request.headers.host));
    let lookups = 0;
    const resolve = () => {
      lookups += 1;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    const given = options({ resolve });
    await fetchUrl(url.replace('127.0.0.1', 'pinned.example'), given);
    expect(lookups).toBe(1);
    expect(await readFile(given.toPath, 'utf8')).toMatch(/^pinned\.example/);
  });

  it('counts bytes, announced or not, and those of a compressed body after unpacking', async () => {
    const bomb = gzipSync(Buffer.alloc(1 << 20));
    const url = await serve((request, response) => {
      if (request.url === '/announced')
        response.writeHead(200, { 'content-length': 1001 }).end('x');
      else if (request.url === '/bomb')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
      else if (request.url === '/small')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('abc'));
      else {
        response.write('x'.repeat(900));
        response.end('x'.repeat(101));
      }
    });
    for (const name of ['announced', 'bomb', 'chunked'])
      expect([name, await failureOf(`${url}/${name}`)]).toEqual([
        name,
        expect.stringMatching(/^SOURCE_TOO_LARGE: .*1000 bytes/),
      ]);
    expect((await fetchUrl(`${url}/small`, options())).sizeBytes).toBe(3);
  });

  it('is unreachable, with a sentence, when the other side does not do its part', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/404') response.writeHead(404).end();
      else if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': 100 });
        response.write('half', () => response.destroy());
      } else if (request.url === '/broken')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
      else if (request.url === '/odd')
        response.writeHead(200, { 'content-encoding': 'x' }).end('a');
      else if (request.url === '/stall') response.write('half');
    });
    const timeouts = { connectMs: 5000, silenceMs: 1000, totalMs: 30_000, rateWindowMs: 20_000 };
    const sentences: Record<string, RegExp> = {
      '/404': /answered with status 404/,
      '/cut': /closed the connection|cannot be fetched/,
      '/broken': /cannot be unpacked/,
      '/odd': /content encoding "x"/,
      '/stall': /stopped sending/,
      '/silent': /did not answer in time/,
    };
    for (const [route, sentence] of Object.entries(sentences)) {
      const failure = await failureOf(url + route, { timeouts });
      expect(failure).toMatch(/^SOURCE_UNREACHABLE: /);
      expect(failure).toMatch(sentence);
    }
    expect(await failureOf('http://127.0.0.1:1/')).toMatch(/refuses connections/);
    const resolve = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    expect(await failureOf('http://none.example/', { resolve })).toMatch(/not known/);
  });

  it('gives up a server that drips, and not one that is slow and steady', async () => {
    const url = await serve((request, response) => {
      const piece = request.url === '/drip' ? 'x' : 'x'.repeat(2000);
      const timer = setInterval(() => response.write(piece), 20);
      response.on('close', () => clearInterval(timer));
      if (request.url !== '/drip') setTimeout(() => response.end(), 7500);
    });
    const timeouts = { connectMs: 5000, silenceMs: 5000, totalMs: 60_000, rateWindowMs: 3000 };
    const given = options({ timeouts, maxBytes: 1e6 });
    const steady = fetchUrl(`${url}/steady`, given);
    const failure = await failureOf(`${url}/drip`, { timeouts });
    expect(failure).toMatch(/^SOURCE_UNREACHABLE: .* sends the picture too slowly\.$/);
    expect((await steady).sizeBytes).toBeGreaterThan(20_000);
  });

  it('ends at once and leaves nothing when it is cancelled', async () => {
    const stop = new AbortController();
    const url = await serve((_request, response) => {
      response.write('half');
      setTimeout(() => stop.abort(), 50);
    });
    expect(await failureOf(url, { signal: stop.signal })).toMatch(/^CANCELLED/);
    const never = () => new Promise<never>(() => undefined);
    const early = new AbortController();
    setTimeout(() => early.abort(), 20);
    expect(await failureOf('http://a.example/', { signal: early.signal, resolve: never })).toMatch(
      /^CANCELLED/,
    );
  });

  it('leaves alone what is there when the target cannot be written', async () => {
    const given = options();
    const url = await serve((_request, response) => response.end('abc'));
    await fetchUrl(url, given);
    expect(await failureOf(url, { toPath: path.join(given.toPath, 'x') })).toMatch(
      /UNREACHABLE|ENOTDIR/,
    );
    expect(await readdir(path.dirname(given.toPath))).toEqual(['source']);
  });
});
