/** What stands behind a subject and where it stands, through the whole service: submit, uploads, presets, another try. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import { startMadeService, remover } from '../../support/made-service.ts';
import { asSharp } from '../../support/images.ts';
import { patience } from '../../support/real-service.ts';
import { type TestService } from '../../support/service.ts';
import { subjectPhoto } from '../../support/subjects.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const box = { x: 100, y: 60, width: 120, height: 90 };
let photo: string;
let beach: Buffer;
beforeAll(async () => {
  const bytes = await asSharp(subjectPhoto(320, 240, box))
    .png()
    .toBuffer();
  photo = `data:image/png;base64,${bytes.toString('base64')}`;
  beach = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#1e5ac8' } })
    .png()
    .toBuffer();
});

async function finished(service: TestService, fields: object): Promise<TaskRecord> {
  const { status, body } = await service.call('POST', '/api/remove-bg', {
    imageUrl: photo,
    ...fields,
  });
  expect([status, body]).toMatchObject([200, {}]);
  const { taskId } = body as { taskId: string };
  const record = async () => (await service.call('GET', `/api/tasks/${taskId}`)).body as TaskRecord;
  await expect.poll(async () => (await record()).status, patience).toMatch(/^F/);
  return record();
}

async function firstPixel({ imageUrl = '' }: TaskRecord): Promise<number[]> {
  const bytes = Buffer.from(await (await fetch(imageUrl)).arrayBuffer());
  const corner = sharp(bytes).extract({ left: 0, top: 0, width: 1, height: 1 });
  return [...(await corner.raw().toBuffer())];
}

async function upload(service: TestService): Promise<string> {
  const response = await service.call('POST', '/api/uploads', beach, {
    'content-type': 'application/octet-stream',
  });
  return (response.body as { imageUrl: string }).imageUrl;
}

describe('a picture behind a subject', { timeout: 300_000 }, () => {
  let service: TestService;
  beforeAll(async () => void (service = await startMadeService([remover])));
  afterAll(() => service.close());

  it('comes from an upload, data and a granted file, and is used again with other options', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'beach.png');
    await writeFile(file, beach);
    await service.call('POST', '/api/grants', { folders: [folder] });
    const fileUrl = pathToFileURL(file).href;
    const data = `data:image/png;base64,${beach.toString('base64')}`;
    for (const backgroundImage of [await upload(service), data, fileUrl]) {
      const record = await finished(service, { backgroundImage });
      expect(record.error).toBeUndefined();
      expect(await firstPixel(record)).toEqual([0x1e, 0x5a, 0xc8]);
      // Bytes are no part of a record.
      expect(record.options.backgroundImage).toMatch(/^(file|http):/);
    }
    const outside = await service.call('POST', '/api/remove-bg', {
      imageUrl: photo,
      backgroundImage: 'file:///etc/hostname',
    });
    expect(outside.status).toBe(403);
  });

  it('stands on a canvas with its shadow, as the estimate says', async () => {
    const fields = {
      canvas: { width: 500, height: 400 },
      subjectScale: 60,
      shadow: 50,
      format: 'jpeg',
      background: 'white',
    };
    const { body } = await service.call('POST', '/api/estimate', {
      imageUrl: photo,
      operation: 'remove-bg',
      ...fields,
    });
    expect(body).toMatchObject({ width: 500, height: 400, format: 'jpeg' });
    const record = await finished(service, fields);
    expect(record).toMatchObject({
      output: { width: 500, height: 400, format: 'jpeg' },
      options: { canvas: { width: 500, height: 400 }, subjectScale: 60, shadow: 50 },
    });
    expect(record.crop?.width).toBeGreaterThan(150);
  });

  it('is refused beside what has no place with it, by name', async () => {
    const data = `data:image/png;base64,${beach.toString('base64')}`;
    for (const [fields, word] of [
      [{ backgroundImage: data, background: 'white' }, 'backgroundImage'],
      [{ backgroundImage: data, maskOnly: true }, 'maskOnly'],
      [{ backgroundImage: 'ftp://example.org/a.jpg' }, 'backgroundImage'],
      [{ backgroundImage: `${service.url}/api/uploads/none` }, 'backgroundImage'],
      [{ shadow: 40, maskOnly: true }, 'shadow'],
      [{ background: 'blur', subjectScale: 50 }, 'subjectScale'],
      [{ canvas: { width: 0, height: 10 } }, 'canvas'],
      [{ position: { x: 101, y: 0 } }, 'position'],
    ] as const) {
      const { status, body } = await service.call('POST', '/api/remove-bg', {
        imageUrl: photo,
        ...fields,
      });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(word)]);
    }
    const preset = await service.call('POST', '/api/presets', {
      name: 'Beach',
      operation: 'remove-bg',
      options: { backgroundImage: data },
    });
    expect(preset.status).toBe(400);
  });
});
