/** Cut out and enlarged in one task over the whole service: submitted, estimated, recorded, changed, resumed. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SubmitReceipt } from '../../../packages/contract/src/request.ts';
import { requestOf, type Estimate, type TaskRecord } from '../../../packages/contract/src/task.ts';
import {
  openPictureService,
  startPictureService,
  subjectBox,
  subjectJpeg,
} from '../../support/compat-service.ts';
import { ended, patience } from '../../support/real-service.ts';
import { openService, testModel, testRemover } from '../../support/service.ts';
import type { TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const photo = async () => `data:image/jpeg;base64,${(await subjectJpeg()).toString('base64')}`;

async function submit(service: TestService, fields: object): Promise<string> {
  const response = await service.call('POST', '/api/remove-bg', {
    imageUrl: await photo(),
    ...fields,
  });
  expect([response.status, response.text]).toEqual([200, expect.stringContaining('taskId')]);
  return (response.body as SubmitReceipt).taskId;
}

async function made(service: TestService, fields: object): Promise<TaskRecord> {
  const record = await ended(service, await submit(service, fields));
  expect(record.error).toBeUndefined();
  return record;
}

const pictureOf = async ({ imageUrl = '' }: TaskRecord) =>
  sharp(Buffer.from(await (await fetch(imageUrl)).arrayBuffer()));

const refusalOf = async (service: TestService, fields: object) =>
  (await service.call('POST', '/api/remove-bg', { imageUrl: await photo(), ...fields })).body;

describe('a cut-out that is enlarged, over the service', patience, () => {
  let pictures: TestService;
  beforeAll(async () => {
    pictures = await startPictureService();
  });
  afterAll(() => pictures.close());

  it('is one task with both networks, twice as wide where nothing else was said', async () => {
    const record = await made(pictures, { enlarge: {} });
    expect(record).toMatchObject({
      operation: 'remove-bg',
      model: 'cutout,natural-x2',
      options: { model: 'cutout', enlarge: { scale: 2, model: 'natural', first: 'enlarge' } },
      output: { format: 'png', width: 640, height: 480, channels: 4 },
    });
    expect(record.grade).toBeDefined();
    const picture = await pictureOf(record);
    const { data } = await picture.raw().toBuffer({ resolveWithObject: true });
    const alphaAt = (x: number, y: number) => data[4 * (y * 640 + x) + 3];
    const { x, y, width, height } = subjectBox;
    expect(alphaAt(2 * x + width, 2 * y + height)).toBe(255);
    expect(alphaAt(10, 10)).toBe(0);
  });

  it('is a cropped JPEG in either order, as its estimate said', async () => {
    for (const first of ['enlarge', 'cutout']) {
      const fields = { background: 'white', format: 'jpeg', enlarge: { longEdge: 480, first } };
      const estimate = await pictures.call('POST', '/api/estimate', {
        ...{ operation: 'remove-bg', imageUrl: await photo(), ...fields },
      });
      expect(estimate.body).toMatchObject({ width: 480, height: 360, format: 'jpeg' });
      expect((estimate.body as Estimate).fileSizeBytes).toBeGreaterThan(1000);
      const { output, crop, options } = await made(pictures, { ...fields, crop: 0 });
      expect(output).toMatchObject({ format: 'jpeg', channels: 3 });
      expect(Math.abs((output?.width ?? 0) - 1.5 * (crop?.width ?? 0))).toBeLessThan(2);
      expect(Math.abs((output?.height ?? 0) - 1.5 * (crop?.height ?? 0))).toBeLessThan(2);
      expect(requestOf(options)).toMatchObject({ enlarge: { longEdge: 480, first } });
    }
  });

  it('uses what a task enlarged for the next one of the photo', async () => {
    const first = await made(pictures, { enlarge: { sharpen: 10 } });
    const scratch = join(pictures.dataDir, 'scratch');
    const folder = (await readdir(scratch)).find((name) => name.startsWith('kept-')) ?? '';
    const records = async () =>
      (await readdir(join(scratch, folder))).filter((name) => name.endsWith('.json'));
    const kept = await records();
    expect(kept).not.toEqual([]);
    const next = await made(pictures, { enlarge: { sharpen: 10 }, shadow: 40 });
    expect(await records()).toEqual(kept);
    expect(next).toMatchObject({ model: first.model, changed: first.changed });
    expect(next.timings.compareMs).toBeUndefined();
    expect(first.timings.compareMs).toBeGreaterThan(0);
  });

  it('reaches a size on paper, which the result says', async () => {
    const printSize = { side: 'width', millimetres: 50.8, ppi: 300 };
    const record = await made(pictures, { enlarge: { printSize }, background: 'white' });
    expect(record.output).toMatchObject({ width: 600, height: 450 });
    expect((await (await pictureOf(record)).metadata()).density).toBe(300);
    expect(requestOf(record.options).enlarge).toEqual({
      printSize,
      model: 'natural',
      first: 'enlarge',
    });
  });

  it('goes on after the service ended in its middle', async () => {
    const dataDir = temporaryFolder();
    const first = await openPictureService({ dataDir });
    const taskId = await submit(first, { enlarge: { scale: 2 } });
    await first.until(taskId, 'PROCESSING');
    await first.close();
    const second = await openPictureService({ dataDir });
    expect((await ended(second, taskId)).output).toMatchObject({ width: 640, height: 480 });
  });

  it('is refused in words that name the field', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    expect(await refusalOf(service, { enlarge: { model: 'cutout' } })).toMatchObject({
      message: expect.stringMatching(/^Expected enlarge\.model to be one of faithful/) as string,
    });
    expect(await refusalOf(service, { enlarge: { scale: 2, width: 900 } })).toMatchObject({
      message: expect.stringContaining('but received scale and width') as string,
    });
    expect(
      await refusalOf(service, { maskOnly: true, enlarge: { first: 'cutout' } }),
    ).toMatchObject({
      message: expect.stringMatching(/^Expected enlarge\.first to be enlarge/) as string,
    });
    expect(await refusalOf(service, { scale: 2 })).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is changed while it waits, loses it by null, and comes from a preset', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    await service.call('POST', '/api/queue/pause');
    const taskId = await submit(service, { enlarge: { scale: 4 }, crop: 5 });
    const patch = async (options: object) =>
      ((await service.call('PATCH', `/api/task/${taskId}`, { options })).body as TaskRecord)
        .options;
    expect(await patch({ enlarge: { longEdge: 900, first: 'cutout' } })).toMatchObject({
      crop: 5,
      enlarge: { target: { kind: 'longEdge', value: 900 }, first: 'cutout' },
    });
    expect(await patch({ enlarge: null })).not.toHaveProperty('enlarge');
    const options = { enlarge: { scale: 4, sharpen: 20 }, background: 'white' };
    const preset = { name: 'Shop', operation: 'remove-bg', options };
    expect((await service.call('POST', '/api/presets', preset)).body).toMatchObject(preset);
  });
});
