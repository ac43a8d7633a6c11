/** curl as each family's own documentation calls it, and Python's standard library: only address and key are ours. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  openPictureService,
  startPictureService,
  subjectJpeg,
  type CompatService,
} from '../../support/compat-service.ts';
import { root } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const installed = (program: string) =>
  (process.env.PATH ?? '').split(path.delimiter).some((dir) => existsSync(path.join(dir, program)));

let jpeg: Buffer;
let service: CompatService;
beforeAll(async () => {
  service = await startPictureService();
  jpeg = await subjectJpeg();
});
afterAll(() => service.close());

async function sizeOf(bytes: Buffer) {
  const { width, height, format, hasAlpha } = await sharp(bytes).metadata();
  return { width, height, format, hasAlpha };
}
const cut = { width: 320, height: 240, format: 'png', hasAlpha: true };
const doubled = { width: 640, height: 480, format: 'png', hasAlpha: false };

/** A folder with the photo, and JSON that curl sends. */
async function folderWithPhoto(): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(path.join(folder, 'input.jpg'), jpeg);
  return folder;
}

describe.skipIf(!installed('curl'))('curl (needs curl)', () => {
  /** Runs a line of a shell in the folder; answers what it printed. */
  async function shell(line: string, { compatUrl, programKey }: CompatService, cwd: string) {
    const env = { ...process.env, ADDRESS: compatUrl, KEY: programKey };
    return (await run('sh', ['-c', line], { cwd, env })).stdout;
  }
  const read = (folder: string, name: string) => readFile(path.join(folder, name));

  it('cuts out as the documentation of remove.bg has it', async () => {
    const folder = await folderWithPhoto();
    await shell(
      `curl -s -H "X-API-Key: $KEY" -F 'image_file=@input.jpg' -F 'size=auto' -f "$ADDRESS/v1.0/removebg" -o no-bg.png`,
      service,
      folder,
    );
    expect(await sizeOf(await read(folder, 'no-bg.png'))).toEqual(cut);
    // Without -F it is a form without files.
    await shell(
      `base64 -w 0 input.jpg > input.b64 && curl -s -H "X-API-Key: $KEY" --data-urlencode image_file_b64@input.b64 -d size=auto -f "$ADDRESS/v1.0/removebg" -o from-data.png`,
      service,
      folder,
    );
    expect(await sizeOf(await read(folder, 'from-data.png'))).toEqual(cut);
    const local = await shell(
      `curl -s -H "X-API-Key: $KEY" --data 'image_url=http://localhost/a.jpg&size=auto' "$ADDRESS/v1.0/removebg"`,
      service,
      folder,
    );
    expect(JSON.parse(local)).toMatchObject({ errors: [{ code: 'source_refused' }] });
    const account = await shell(
      `curl -s -H "X-API-Key: $KEY" "$ADDRESS/v1.0/account"`,
      service,
      folder,
    );
    expect(JSON.parse(account)).toHaveProperty('data.attributes.credits.total');
  });

  it('cuts out as the documentation of rembg has it, a file and an address', async () => {
    const service = await openPictureService({ allowLocalSources: true });
    await service.call('PATCH', '/api/settings', { compatKeyless: true });
    const folder = await folderWithPhoto();
    await shell(`curl -s -F file=@input.jpg "$ADDRESS/api/remove" -o output.png`, service, folder);
    expect(await sizeOf(await read(folder, 'output.png'))).toEqual(cut);
    const web = createServer((_, response) => response.end(jpeg)).listen(0, '127.0.0.1');
    await once(web, 'listening');
    onTestFinished(() => void web.close());
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/input.jpg`;
    await shell(`curl -s "$ADDRESS/api/remove?url=${url}" -o fetched.png`, service, folder);
    expect(await sizeOf(await read(folder, 'fetched.png'))).toEqual(cut);
  });

  it('edits, varies and enlarges as the documentations of OpenAI, LocalAI and Lemonade have it', async () => {
    const folder = await folderWithPhoto();
    const edited = await shell(
      `curl -s -X POST "$ADDRESS/v1/images/edits" -H "Authorization: Bearer $KEY" -F "model=gpt-image-1" -F "image[]=@input.jpg" -F 'prompt=Enlarge it'`,
      service,
      folder,
    );
    const { data } = JSON.parse(edited) as { data: { b64_json: string }[] };
    expect(await sizeOf(Buffer.from(data[0]?.b64_json ?? '', 'base64'))).toEqual(doubled);
    const varied = await shell(
      `curl -s "$ADDRESS/v1/images/variations" -H "Authorization: Bearer $KEY" -F image="@input.jpg" -F n=1 -F model=enlarger-2x`,
      service,
      folder,
    );
    const [variation] = (JSON.parse(varied) as { data: { url: string }[] }).data;
    await shell(`curl -s "${variation?.url ?? ''}" -o varied.png`, service, folder);
    expect(await sizeOf(await read(folder, 'varied.png'))).toEqual(doubled);
    await writeFile(
      path.join(folder, 'lemonade.json'),
      JSON.stringify({ image: jpeg.toString('base64'), model: 'RealESRGAN-x4plus' }),
    );
    const enlarged = await shell(
      `curl -s -X POST "$ADDRESS/api/v1/images/upscale" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d @lemonade.json`,
      service,
      folder,
    );
    const [quadrupled] = (JSON.parse(enlarged) as { data: { b64_json: string }[] }).data;
    expect(await sizeOf(Buffer.from(quadrupled?.b64_json ?? '', 'base64'))).toMatchObject({
      width: 1280,
      height: 960,
    });
    const models = await shell(
      `curl -s "$ADDRESS/v1/models" -H "Authorization: Bearer $KEY"`,
      service,
      folder,
    );
    expect(JSON.parse(models)).toMatchObject({ object: 'list' });
  });

  it('enlarges as the documentation of AUTOMATIC1111 has it', async () => {
    const folder = await folderWithPhoto();
    await writeFile(
      path.join(folder, 'payload.json'),
      JSON.stringify({
        image: `data:image/jpeg;base64,${jpeg.toString('base64')}`,
        upscaler_1: 'R-ESRGAN 4x+',
        upscaling_resize: 2,
      }),
    );
    const answer = await shell(
      `curl -s -X POST "$ADDRESS/sdapi/v1/extra-single-image" -u "me:$KEY" -H 'Content-Type: application/json' -d @payload.json`,
      service,
      folder,
    );
    const { image } = JSON.parse(answer) as { image: string };
    expect(await sizeOf(Buffer.from(image, 'base64'))).toEqual(doubled);
  });
});

describe.skipIf(!installed('python3'))("Python's standard library (needs python3)", () => {
  it('is answered by all four families, and reads what refuses it', async () => {
    const folder = await folderWithPhoto();
    const script = path.join(root, 'test/support/compat-clients.py');
    const photo = path.join(folder, 'input.jpg');
    const { stdout } = await run('python3', [
      script,
      service.compatUrl,
      service.programKey,
      photo,
      folder,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      'removebg.png': 200,
      'x-width': '320',
      'removebg refused': [403, 'API Key invalid'],
      'rembg.png': 200,
      'openai.png': 200,
      'a1111.png': 200,
    });
    for (const [name, size] of [
      ['removebg.png', cut],
      ['rembg.png', cut],
      ['openai.png', doubled],
      ['a1111.png', doubled],
    ] as const)
      expect([name, await sizeOf(await readFile(path.join(folder, name)))]).toEqual([name, size]);
  });
});
