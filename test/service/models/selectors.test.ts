/** Networks that take prompts, from import to what points and boxes select, over the real engine. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxStroke } from '../../../packages/contract/src/options/strokes.ts';
import type { ModelView } from '../../../packages/contract/src/models/model.ts';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import { remover, startMadeService } from '../../support/made-service.ts';
import { promptAlpha, promptPair, type PromptExport } from '../../support/networks-prompts.ts';
import { ended } from '../../support/real-service.ts';
import type { TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [width, height] = [240, 160];

/** Black, with a grey square on the left and a white one, which the model that cuts out finds, on the right. */
async function photo(): Promise<string> {
  const square = (background: string) => ({
    create: { width: 80, height: 80, channels: 3, background } as const,
  });
  const picture = sharp({ create: { width, height, channels: 3, background: '#000' } }).composite([
    { input: square('#646464'), left: 20, top: 40 },
    { input: square('#fff'), left: 140, top: 40 },
  ]);
  return `data:image/png;base64,${(await picture.png().toBuffer()).toString('base64')}`;
}

const grey = { x: 30 / width, y: 50 / height };
const white = { x: 150 / width, y: 50 / height };

async function levels(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes)
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) =>
    data[
      Math.floor((y * info.height) / height) * info.width + Math.floor((x * info.width) / width)
    ];
  return { grey: at(60, 80), white: at(180, 80), black: at(120, 10) };
}

let service: TestService;
beforeAll(async () => void (service = await startMadeService([remover])));
afterAll(() => service.close());

const added = new Map<PromptExport, ModelView>();

/** Imports the pair of networks, once for all tests. */
async function modelOf(kind: PromptExport): Promise<ModelView> {
  const model = added.get(kind) ?? (await addPair(kind));
  added.set(kind, model);
  return model;
}

async function addPair(kind: PromptExport): Promise<ModelView> {
  const form = new FormData();
  for (const file of promptPair(temporaryFolder(), kind))
    form.append('file', new Blob([await readFile(file)]), path.basename(file));
  const response = await fetch(new URL('/api/models', service.url), {
    method: 'POST',
    headers: { authorization: `KEY ${service.key}` },
    body: form,
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as ModelView;
}

async function select(kind: PromptExport): Promise<void> {
  const { id } = await modelOf(kind);
  const settings = await service.call('PATCH', '/api/settings', { defaultSelector: id });
  expect(settings.status).toBe(200);
}

async function maskOf(body: object): Promise<TaskRecord> {
  const imageUrl = await photo();
  const whole = { imageUrl, maskOnly: true, ...body };
  const response = await service.call('POST', '/api/remove-bg', whole);
  if (response.status !== 200) throw new Error(response.text);
  return ended(service, (response.body as { taskId: string }).taskId);
}

async function resultOf({ taskId, error }: TaskRecord) {
  expect(error).toBeUndefined();
  const { imageUrl = '' } = await service.task(taskId);
  const response = await fetch(new URL(imageUrl, service.url));
  return levels(await response.bytes());
}

async function corrected(taskId: string, body: object) {
  const response = await fetch(new URL(`/api/task/${taskId}/mask`, service.url), {
    method: 'POST',
    headers: { authorization: `KEY ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.headers.get('content-type')).toBe('image/png');
  return levels(await response.bytes());
}

const keep = { ...grey, kind: 'keep' };
const remove = { ...white, kind: 'remove' };

describe('a model that takes prompts', { timeout: 180_000 }, () => {
  it('is listed as one that selects, and is no model of a task', async () => {
    const model = await modelOf('sam');
    expect(model).toMatchObject({ id: 'sam', task: 'select', isDefault: false, scales: [] });
    expect(model.files).toHaveLength(2);
    const imageUrl = await photo();
    const asModel = await service.call('POST', '/api/remove-bg', { imageUrl, model: 'sam' });
    expect(asModel.status).toBe(400);
    const asSelector = await service.call('PATCH', '/api/settings', { defaultSelector: 'cutout' });
    expect(asSelector.text).toMatch(/Expected defaultSelector to be one of sam/);
  });

  it.each(['sam', 'sam-preprocessed', 'sam2'] as const)(
    'answers points and boxes, in tasks and at once (%s)',
    async (kind) => {
      await select(kind);
      const plain = await maskOf({});
      expect(plain.options.selector).toBeUndefined();
      expect(await resultOf(plain)).toEqual({ grey: 0, white: 255, black: 0 });
      const both = await maskOf({ points: [keep, remove] });
      expect(both.options.selector).toBe(kind);
      expect(await resultOf(both)).toEqual({ grey: 255, white: 0, black: 0 });
      const box = boxStroke('keep', { x: 0.5, y: 0.1, width: 0.45, height: 0.8 });
      const boxed = await maskOf({ strokes: [box], points: [keep] });
      expect(await resultOf(boxed)).toEqual({ grey: 255, white: 255, black: 0 });

      const live = (body: object) => corrected(plain.taskId, body);
      expect(await live({ points: [keep] })).toEqual({ grey: 255, white: 255, black: 0 });
      expect(await live({ points: [keep, remove] })).toEqual({ grey: 255, white: 0, black: 0 });
      expect(await live({ points: [remove] })).toEqual({ grey: 0, white: 0, black: 0 });
      expect(await live({ strokes: [{ ...box, kind: 'remove' }] })).toMatchObject({ white: 0 });
    },
  );

  it('that gives alpha has it in the cut-out where it selected', async () => {
    await select('zim');
    const result = await resultOf(await maskOf({ points: [keep] }));
    expect(result.grey).toBeGreaterThan(255 * promptAlpha - 3);
    expect(result.grey).toBeLessThan(255 * promptAlpha + 3);
    expect(result).toMatchObject({ white: 255, black: 0 });
  });

  it('is no default any more once it is removed', async () => {
    await select('sam');
    const done = await maskOf({ points: [keep] });
    expect((await service.call('DELETE', '/api/models/sam')).status).toBe(204);
    const settings = (await service.call('GET', '/api/settings')).body as Settings;
    expect(settings.defaultSelector).toBe('');
    const live = await service.call('POST', `/api/task/${done.taskId}/mask`, { points: [keep] });
    expect(live.text).toContain('Expected a task of a model that takes clicks');
  });
});
