/** Bodies of JSON: read piece by piece, refused before they are parsed, and their pictures put into files. */
import { readFileSync, readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { readJsonBody, type JsonBody } from '../../../../packages/http/src/bodies/json-body.ts';
import {
  createDataUrlDecoder,
  decodeDataUrl,
} from '../../../../electron/service/sources/data-url.ts';
import { createStagedImages } from '../../../../electron/service/sources/staged-images.ts';
import { dataUrl, openService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const mib = 1024 * 1024;
const patiently = { timeout: 20_000 };

async function* chunksOf(bytes: Buffer, sizes: () => number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const next = at + sizes();
    await turn();
    yield bytes.subarray(at, next);
    at = next;
  }
}

function openReader() {
  const dir = temporaryFolder();
  const pictures = createStagedImages(dir);
  const read = (
    text: string | Buffer,
    sizes = () => 65_536,
    takesBare = false,
  ): Promise<JsonBody> =>
    readJsonBody(chunksOf(Buffer.from(text), sizes), {
      announced: 0,
      maxBytes: 100 * mib,
      pictures,
      account: { add: () => undefined, clear: () => undefined, onClosed: () => undefined },
      fields: { depths: { imageUrl: 1, image: 1, data: 3 }, takesBare },
    });
  return { dir, pictures, read };
}

/** The longest time that the thread worked between two turns of the loop. */
async function longestTurnMs(work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const end = work.finally(() => over.abort()).catch(() => undefined);
  let longest = 0;
  for (let before = process.threadCpuUsage(); !isOver();) {
    await turn();
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }
  await end;
  return longest;
}

describe('a body', () => {
  it('is the same however it was cut', async () => {
    const { read } = openReader();
    const small = fc.json({ maxDepth: 5 }).map((text) => ({ text, cut: 1 }));
    const wide = fc.record({
      text: fc
        .jsonValue({ maxDepth: 2 })
        .map((value) => JSON.stringify({ a: value, imageUrl: '\\"'.repeat(50) })),
      cut: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(small, wide), async ({ text, cut }) => {
        expect((await read(text, () => cut)).text).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it('has its picture put into a file, whatever it is escaped with and however it was cut', async () => {
    const { dir, pictures, read } = openReader();
    const bytes = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, i) => (i * i) >> 3));
    const base64 = bytes.toString('base64');
    const percent = [...bytes].map((code) => `%${code.toString(16).padStart(2, '0')}`).join('');
    const urls = [
      `"data:image/png;base64,${base64}"`,
      `"data:image\\/png;base64,${base64.replaceAll('/', '\\/')}"`,
      `"data:image/png;base64,${base64.replace(/(.{76})/g, '$1\\r\\n')}"`,
      `"data:image/png;base64,${base64.replaceAll('+', '\\u002b').replaceAll('=', '%3D')}"`,
      `"  DATA:;base64,${base64.replaceAll('+', '-').replaceAll('/', '_')}"`,
      `"data:image/png,${percent}"`,
    ];
    for (const url of urls)
      for (const cut of [65_536, 1021, 7919]) {
        const body = await read(`{"scale":2,"imageUrl":${url},"name":"a"}`, () => cut);
        const parsed = JSON.parse(body.text) as Record<string, string>;
        expect(parsed).toMatchObject({ scale: 2, name: 'a' });
        expect(pictures.fingerprintOf(parsed['imageUrl'] ?? '')).toHaveLength(64);
        const held = pictures.take(parsed['imageUrl'] ?? '');
        expect(readFileSync(held?.path ?? '').equals(bytes)).toBe(true);
        expect(pictures.take(parsed['imageUrl'] ?? '')).toBeUndefined();
      }
    expect(readdirSync(dir)).toHaveLength(urls.length * 3);
  });

  it('keeps what stands in other fields, and base64 alone where it is no picture', async () => {
    const { dir, read } = openReader();
    const long = 'A'.repeat(200_000);
    for (const body of [
      { name: `data:;base64,${long}` },
      { imageUrl: long },
      { deeper: { imageUrl: `data:;base64,${long}` } },
      [{ imageUrl: `data:;base64,${long}` }],
      { imageUrl: [`data:;base64,${long}`] },
    ])
      expect(JSON.parse((await read(JSON.stringify(body))).text)).toEqual(body);
    expect(readdirSync(dir)).toEqual([]);
    const list = { imageList: [{ data: long }, { data: `data:;base64,${long}` }], image: long };
    const bare = await read(JSON.stringify(list), () => 1000, true);
    expect(bare.placeholders).toHaveLength(3);
    expect(bare.text.length).toBeLessThan(500);
  });

  it('is judged by what stands outside of its strings', async () => {
    const { read } = openReader();
    await read(JSON.stringify({ a: '['.repeat(1000), b: ',\\"'.repeat(600_000) }));
    await read('"not ended');
    for (const text of [
      `{${'"a":1,'.repeat(50_001)}"b":1}`,
      '['.repeat(41),
      '{"a":'.repeat(41),
      `[${'1,'.repeat(500_001)}1]`,
      `"${'x'.repeat(21 * mib)}"`,
    ])
      await expect(read(text)).rejects.toThrow(EnlargerError);
  });

  it('that is refused leaves no file, and its picture says why when it is asked for', async () => {
    const { dir, pictures, read } = openReader();
    const long = 'A'.repeat(200_000);
    await expect(
      read(`{"imageUrl":"data:;base64,${long}","b":${'['.repeat(50)}`),
    ).rejects.toThrow();
    await expect(read(`{"imageUrl":"data:;base64,${long}\\x${long}"}`)).rejects.toThrow();
    for (const end of ['', '\\u00', '\\']) {
      const cut = await read(`{"imageUrl":"data:;base64,${long}${end}`);
      expect(() => JSON.parse(cut.text) as unknown).toThrow();
      await pictures.drop(cut.placeholders);
    }
    const { text, placeholders } = await read(`{"imageUrl":"data:;base64,${long}!${long}"}`);
    const { imageUrl } = JSON.parse(text) as { imageUrl: string };
    expect(() => pictures.take(imageUrl)).toThrow('is not base64');
    await pictures.drop(placeholders);
    expect(readdirSync(dir)).toEqual([]);
  });

  const spaced = 'iV BO '.repeat((16 * mib) / 6);
  const plain = 'iVBORw0K'.repeat((24 * mib) / 8);
  it.each([
    ['16 MB of base64', `{"imageUrl":"data:image/png;base64,${plain}"}`],
    ['16 MB of spaced base64', `{"imageUrl":"data:image/png;base64,${spaced}"}`],
    ['16 MB of escapes', `{"imageUrl":"data:image/png;base64,${'\\/\\/\\/\\/'.repeat(2 * mib)}"}`],
    ['16 MB of backslashes', `{"imageUrl":"data:,${'\\\\'.repeat(8 * mib)}"}`],
    ['16 MB of one string', `{"imageUrl":"${plain}"}`],
    ['16 MB of brackets', '['.repeat(16 * mib)],
    ['16 MB of quotes', '""'.repeat(8 * mib)],
  ])('%s holds up others for a moment only', async (_what, text) => {
    const { read } = openReader();
    const bytes = Buffer.from(text);
    expect(await longestTurnMs(read(bytes))).toBeLessThan(100);
  });
});

describe('a data: URL', () => {
  it('is decoded the same in parts', () => {
    const sign = fc.constantFrom(...'AZaz09+/-_ \n%3D=é!,;'.split(''), '%41', '%2B', 'iVBO');
    const data = fc.array(sign, { maxLength: 40 }).map((signs) => signs.join(''));
    const outcome = (work: () => Buffer): string => {
      try {
        return work().toString('hex') || 'refused';
      } catch (thrown) {
        if (!(thrown instanceof EnlargerError)) throw thrown;
        return 'refused';
      }
    };
    fc.assert(
      fc.property(data, fc.boolean(), fc.integer({ min: 1, max: 7 }), (text, isBase64, cut) => {
        const url = `data:${isBase64 ? ';base64' : ''},${text}`;
        const inParts = () => {
          const decoder = createDataUrlDecoder();
          const parts = (url.match(new RegExp(`[^]{1,${cut}}`, 'gu')) ?? []).map((one) =>
            decoder.push(one),
          );
          return Buffer.concat([...parts, decoder.end()]);
        };
        expect(outcome(inParts)).toBe(outcome(() => decodeDataUrl(url)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a submit with a large picture', () => {
  it('makes a task of it, answers the same one again, and leaves nothing behind', async () => {
    const service = await openService();
    const picture = Buffer.alloc(3 * mib, 'picture');
    const imageUrl = `data:image/png;base64,${picture.toString('base64')}`;
    const headers = { 'idempotency-key': 'once' };
    await service.call('POST', '/api/queue/pause');
    const submit = (body: object) => service.call('POST', '/api/image-upscaler', body, headers);
    const first = await submit({ imageUrl });
    expect(first.status, first.text).toBe(200);
    expect((await submit({ imageUrl })).body).toEqual(first.body);
    expect((await submit({ imageUrl: `${imageUrl.slice(0, -8)}AAAAAAAA` })).status).toBe(409);
    const sources = () => readdirSync(`${service.dataDir}/sources`);
    await expect.poll(sources, patiently).toHaveLength(1);
    const [name = ''] = sources();
    expect(readFileSync(`${service.dataDir}/sources/${name}`).equals(picture)).toBe(true);
    await expect.poll(() => readdirSync(`${service.dataDir}/scratch`), patiently).toEqual([]);
  });

  it.each([
    ['a field that is not known', { unknown: 1 }, 400],
    ['a field that is wrong', { scale: 3 }, 400],
  ])('that is refused for %s leaves nothing', async (_what, fields, status) => {
    const service = await openService();
    const imageUrl = `data:image/png;base64,${'A'.repeat(mib)}`;
    const response = await service.call('POST', '/api/image-upscaler', { imageUrl, ...fields });
    expect(response.status, response.text).toBe(status);
    await expect.poll(() => readdirSync(`${service.dataDir}/scratch`), patiently).toEqual([]);
    expect(readdirSync(`${service.dataDir}/sources`)).toEqual([]);
  });

  it('that breaks off leaves nothing', async () => {
    const service = await openService();
    const post = httpRequest(`${service.url}/api/image-upscaler`, {
      method: 'POST',
      headers: { authorization: `KEY ${service.key}`, 'content-type': 'application/json' },
    });
    post.on('error', () => undefined);
    post.write(`{"imageUrl":"data:image/png;base64,${'A'.repeat(mib)}`);
    const held = () => readdirSync(`${service.dataDir}/scratch`);
    await expect.poll(held, patiently).toHaveLength(1);
    post.destroy();
    await expect.poll(held, patiently).toEqual([]);
  });

  it('takes no word of another request for a picture', async () => {
    const service = await openService();
    const word = `data:;held=${crypto.randomUUID()},`;
    const response = await service.call('POST', '/api/image-upscaler', { imageUrl: word });
    expect(response.status).toBe(400);
    expect((await service.call('POST', '/api/image-upscaler', { imageUrl: dataUrl })).status).toBe(
      200,
    );
  });
});
