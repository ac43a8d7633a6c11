/** Many clients of all families at once while a batch waits: each gets its own picture, and none waits for the batch. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { TaskList } from '../../../packages/contract/src/task.ts';
import {
  openPictureService,
  subjectBox,
  type CompatService,
} from '../../support/compat-service.ts';
import { asSharp } from '../../support/images.ts';
import { subjectPhoto } from '../../support/subjects.ts';

/** Of a width that no other has, so that a picture tells whose it is. */
const photoOf = (width: number) =>
  asSharp(subjectPhoto(width, 240, subjectBox))
    .jpeg({ quality: 95 })
    .toBuffer();

type Ask = (service: CompatService, photo: Buffer) => Promise<{ bytes: Buffer; factor: number }>;

const formWith = (name: string, photo: Buffer, fields: Record<string, string> = {}) => {
  const form = new FormData();
  form.set(name, new Blob([new Uint8Array(photo)]), 'photo.jpg');
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return form;
};

async function post(
  service: CompatService,
  route: string,
  body: FormData | object,
): Promise<Response> {
  const isForm = body instanceof FormData;
  const response = await fetch(service.compatUrl + route, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.programKey}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  return response;
}

const families: Ask[] = [
  async (service, photo) => {
    const answer = await post(
      service,
      '/v1.0/removebg',
      formWith('image_file', photo, { size: 'full' }),
    );
    return { bytes: Buffer.from(await answer.arrayBuffer()), factor: 1 };
  },
  async (service, photo) => {
    const answer = await post(service, '/api/remove', formWith('file', photo));
    return { bytes: Buffer.from(await answer.arrayBuffer()), factor: 1 };
  },
  async (service, photo) => {
    const answer = await post(
      service,
      '/v1/images/edits',
      formWith('image', photo, { prompt: 'x', model: 'enlarger-2x' }),
    );
    const { data } = (await answer.json()) as { data: { b64_json: string }[] };
    return { bytes: Buffer.from(data[0]?.b64_json ?? '', 'base64'), factor: 2 };
  },
  async (service, photo) => {
    const fields = {
      image: photo.toString('base64'),
      upscaler_1: 'R-ESRGAN 4x+',
      upscaling_resize: 2,
    };
    const answer = await post(service, '/sdapi/v1/extra-single-image', fields);
    const { image } = (await answer.json()) as { image: string };
    return { bytes: Buffer.from(image, 'base64'), factor: 2 };
  },
];

it('serves many clients of all families before a batch, and mixes none up', async () => {
  const service = await openPictureService();
  const batch = await photoOf(900);
  const imageUrl = `data:image/jpeg;base64,${batch.toString('base64')}`;
  for (let i = 0; i < 24; i += 1) await service.submit(imageUrl, { scale: 2, priority: 9 });
  const widths = Array.from({ length: 16 }, (_, i) => 260 + 2 * i);
  await Promise.all(
    widths.map(async (width, i) => {
      const ask = families[i % families.length];
      if (ask === undefined) throw new Error('There is no such family.');
      const { bytes, factor } = await ask(service, await photoOf(width));
      expect((await sharp(bytes).metadata()).width).toBe(width * factor);
    }),
  );
  const { counts } = (await service.call('GET', '/api/tasks?limit=1')).body as TaskList;
  expect(counts.FAILED).toBe(0);
  // The batch goes on behind them.
  expect(counts.PENDING).toBeGreaterThan(0);
}, 300_000);
