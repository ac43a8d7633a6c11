/** Cut-outs over the whole service: what a client sends, hears and gets. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelList } from '../../../packages/contract/src/models/model.ts';
import type { SubmitReceipt } from '../../../packages/contract/src/request.ts';
import type { TaskView } from '../../../packages/contract/src/task.ts';
import { startMadeService, remover } from '../../support/made-service.ts';
import { asSharp } from '../../support/images.ts';
import { type TestService } from '../../support/service.ts';
import { eventsIn, openStream } from '../../support/sse.ts';
import { subjectPhoto } from '../../support/subjects.ts';

const box = { x: 100, y: 60, width: 120, height: 90 };

async function asDataUrl(withSubject = true): Promise<string> {
  const picture = subjectPhoto(320, 240, withSubject ? box : { ...box, width: 0 });
  const jpeg = await asSharp(picture).jpeg({ quality: 95 }).toBuffer();
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
}

async function submit(service: TestService, fields: object, imageUrl?: string): Promise<string> {
  const body = { imageUrl: imageUrl ?? (await asDataUrl()), ...fields };
  const answer = await service.call('POST', '/api/remove-bg', body);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('taskId')]);
  return (answer.body as SubmitReceipt).taskId;
}

/** What its stream says last. An engine of its own takes its time to start. */
async function endOf(service: TestService, taskId: string): Promise<TaskView> {
  const stream = openStream(service.url, `/api/task/${taskId}/sse`, service.key);
  await stream.closed();
  return eventsIn(stream.body()).at(-1)?.data as unknown as TaskView;
}

describe('a cut-out over the service', () => {
  let service: TestService;
  beforeAll(async () => void (service = await startMadeService([remover])));
  afterAll(() => service.close());

  it('is submitted, followed and fetched as a PNG with a thumbnail, both transparent', async () => {
    const taskId = await submit(service, {});
    const { status, imageUrl = '', thumbUrl = '' } = await endOf(service, taskId);
    expect(status).toBe('FINISHED');
    for (const [link, type] of [
      [imageUrl, 'image/png'],
      [thumbUrl, 'image/webp'],
    ] as const) {
      const response = await fetch(link);
      expect(response.headers.get('content-type')).toBe(type);
      const found = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([found.width, found.height, found.hasAlpha]).toEqual([320, 240, true]);
    }
    const record = await service.record(taskId);
    expect(record).toMatchObject({
      operation: 'remove-bg',
      model: 'cutout',
      options: { model: 'cutout', background: 'transparent', format: 'png' },
      input: { format: 'jpeg', channels: 3 },
      output: { format: 'png', channels: 4 },
    });
    for (const step of ['decodeMs', 'networkMs', 'refineMs', 'composeMs', 'encodeMs'] as const)
      expect(record.timings[step]).toBeGreaterThan(0);
  });

  it('is cropped, on a colour and a JPEG where that is asked for', async () => {
    const taskId = await submit(service, { background: 'white', crop: 0, format: 'jpeg' });
    const { imageUrl = '' } = await endOf(service, taskId);
    const { output, crop } = await service.record(taskId);
    expect(output).toMatchObject({ format: 'jpeg', channels: 3 });
    expect(output).toMatchObject({ width: crop?.width, height: crop?.height });
    expect(Math.abs((output?.width ?? 0) - box.width)).toBeLessThan(16);
    const bytes = Buffer.from(await (await fetch(imageUrl)).arrayBuffer());
    expect((await sharp(bytes).metadata()).width).toBe(output?.width);
  });

  it('fails with NO_SUBJECT where there is none, and says so', async () => {
    const taskId = await submit(service, {}, await asDataUrl(false));
    const { error } = await endOf(service, taskId);
    expect(error).toMatchObject({ code: 'NO_SUBJECT' });
    expect(error?.message).toMatch(/\. Try a picture with one clear subject/);
  });

  it('is estimated as its submit is planned, and refused alike', async () => {
    const imageUrl = await asDataUrl();
    const estimate = async (fields: object) =>
      (await service.call('POST', '/api/estimate', { operation: 'remove-bg', imageUrl, ...fields }))
        .body;
    expect(await estimate({})).toMatchObject({ width: 320, height: 240, format: 'png' });
    expect(await estimate({ background: 'blur', format: 'same' })).toMatchObject({
      format: 'jpeg',
    });
    expect(await estimate({ format: 'jpeg' })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await estimate({ scale: 2 })).toMatchObject({
      message: 'Expected no scale with operation remove-bg.',
    });
    const upscale = { operation: 'upscale', imageUrl, crop: 5 };
    expect((await service.call('POST', '/api/estimate', upscale)).body).toMatchObject({
      message: 'Expected no crop with operation upscale.',
    });
  });

  it('has its model among the others, without scales', async () => {
    const { models } = (await service.call('GET', '/api/models')).body as ModelList;
    expect(models).toMatchObject([
      { id: 'cutout', task: 'remove-bg', scales: [], isDefault: true },
    ]);
    const patch = await service.call('PATCH', '/api/settings', { defaultRemover: 'none' });
    expect(patch.text).toContain('Expected defaultRemover to be one of cutout');
  });
});
