/** Text fields of forms are short; pictures among them go to files while they arrive. */
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { maxFieldBytes, readUrlencoded } from '../../../packages/compat/src/form-fields.ts';
import { createStagedImages } from '../../../electron/service/sources/staged-images.ts';
import { leftFiles, openCompatService, type CompatService } from '../../support/compat-service.ts';
import { testModel, testRemover } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { taskIdOf } from '../../service/tasks/scripted-engine.ts';

const patiently = { timeout: 20_000 };
const kinds = [
  ['multipart/form-data; boundary=b', (name: string, text: string) => part(name, text)],
  ['application/x-www-form-urlencoded', (name: string, text: string) => `${name}=${text}`],
] as const;

const part = (name: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}`;

const base64 = (bytes: number) => Buffer.alloc(bytes, 'picture').toString('base64url');

describe.each(kinds)('a form of %s', (type, formOf) => {
  const end = type.startsWith('multipart') ? '\r\n--b--\r\n' : '';
  const post = ({ compatUrl, programKey }: CompatService, body: string) =>
    fetch(`${compatUrl}/v1.0/removebg`, {
      method: 'POST',
      headers: { 'x-api-key': programKey, 'content-type': type },
      body,
    });

  it('has texts of 64 KB and no longer ones', async () => {
    const service = await openCompatService();
    const text = 'x'.repeat(maxFieldBytes);
    const long = await post(service, formOf('size', `${text}x`) + end);
    expect([long.status, await long.text()]).toEqual([
      413,
      expect.stringContaining('only a picture may have more') as string,
    ]);
    const short = await post(service, formOf('size', text) + end);
    expect(short.status).toBe(400);
    const address = await post(service, formOf('image_url', `http://a.example/${text}`) + end);
    expect(address.status).toBe(413);
    expect(await leftFiles(service)).toEqual([]);
  });

  it.each([
    ['image_file_b64', base64(300_000)],
    ['image_url', `data:image/png;base64,${base64(300_000)}`],
  ])('has a picture in %s on the disk before the form ends', async (field, picture) => {
    const service = await openCompatService();
    const { host, hostname, port } = new URL(service.compatUrl);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const start = formOf(field, picture);
    socket.write(
      [
        'POST /v1.0/removebg HTTP/1.1',
        `Host: ${host}`,
        `X-Api-Key: ${service.programKey}`,
        `Content-Type: ${type}`,
        `Content-Length: ${start.length + 1_000_000}`,
        '',
        start,
      ].join('\r\n'),
    );
    const held = () => readdirSync(path.join(service.dataDir, 'scratch'));
    await expect.poll(held, patiently).toEqual([expect.stringMatching(/^held-/)]);
    socket.destroy();
    await expect.poll(held, patiently).toEqual([]);
  });

  it('gives the picture that it holds as text to a task, whole', async () => {
    const service = await openCompatService({
      script: () => ({ do: 'hold' }),
      models: [testModel, testRemover],
    });
    const text = base64(300_000);
    const sent = post(service, formOf('image_file_b64', text) + end).catch(() => undefined);
    await expect.poll(() => service.engine.inFlight, patiently).toBe(1);
    const [job] = service.engine.jobs;
    expect(readFileSync(job!.sourcePath).equals(Buffer.from(text, 'base64url'))).toBe(true);
    service.engine.settle(taskIdOf(job!), { do: 'fail', code: 'UNREADABLE_IMAGE' });
    await sent;
  });
});

it('a form without files reads as URLSearchParams reads it, however it is cut', async () => {
  const pictures = createStagedImages(temporaryFolder());
  const read = async (text: string, cuts: readonly number[]) => {
    const bytes = Buffer.from(text);
    const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
    places.sort((a, b) => a - b);
    async function* chunks() {
      for (const [i, from] of places.entries())
        yield Promise.resolve(bytes.subarray(from, places[i + 1] ?? bytes.length));
    }
    return readUrlencoded(chunks(), {
      announced: 0,
      pictures,
      placeholders: [],
      account: { add: () => undefined, clear: () => undefined, onClosed: () => undefined },
      maxPictureBytes: 1 << 20,
    });
  };
  const piece = fc.oneof(
    fc.constantFrom('&', '=', '%', '+', '%4', '%41', '%C3%A4', '%E2%82%AC', '%zz', 'a'),
    fc.string({ maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 20 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (pieces, cuts) => {
        const text = pieces.join('');
        const expected: unknown = Object.fromEntries(new URLSearchParams(`&${text}`));
        expect(await read(text, cuts)).toEqual(expected);
      },
    ),
    { numRuns: 2000 },
  );
});
