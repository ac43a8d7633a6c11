/** Corrected masks of finished cut-outs, over the real engine and a network whose answers are known. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { createLiveMasks } from '../../../electron/service/previews/live-masks.ts';
import type { Task } from '../../../electron/service/store/tasks/task.ts';
import type { ModelList } from '../../../packages/contract/src/models/model.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import {
  clickableRemover,
  openMadeService,
  remover,
  startMadeService,
} from '../../support/made-service.ts';
import { ended } from '../../support/real-service.ts';
import type { TestService } from '../../support/service.ts';

const [width, height] = [240, 160];

/** Black, with a grey square on the left and a white one on the right. */
async function cutOut(service: TestService, body: object = {}, px = 80): Promise<TaskRecord> {
  const square = (background: string) => ({
    create: { width: px, height: px, channels: 3, background } as const,
  });
  const picture = sharp({ create: { width, height, channels: 3, background: '#000' } }).composite([
    { input: square('#646464'), left: 20, top: 40 },
    { input: square('#fff'), left: px === 80 ? 140 : 70, top: 40 },
  ]);
  const png = (await picture.png().toBuffer()).toString('base64');
  const imageUrl = `data:image/png;base64,${png}`;
  const response = await service.call('POST', '/api/remove-bg', { imageUrl, ...body });
  if (response.status !== 200) throw new Error(response.text);
  const { taskId } = response.body as { taskId: string };
  return ended(service, taskId);
}

async function maskOf(service: TestService, taskId: string, body: object) {
  const key = service.key;
  const response = await fetch(new URL(`/api/task/${taskId}/mask`, service.url), {
    method: 'POST',
    headers: { authorization: `KEY ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.headers.get('content-type')).toBe('image/png');
  return sharp(await response.bytes())
    .raw()
    .toBuffer({ resolveWithObject: true });
}

type MaskImage = Awaited<ReturnType<typeof maskOf>>;

/** At a place in shares of the photo's sides. */
const levelAt = ({ data, info }: MaskImage, { x, y }: { x: number; y: number }) =>
  data[(Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels];

async function corrected(service: TestService, taskId: string, body: object) {
  const image = await maskOf(service, taskId, body);
  const at = (x: number, y: number) => levelAt(image, { x: x / width, y: y / height });
  return { grey: at(60, 80), white: at(180, 80), black: at(120, 10) };
}

const grey = { x: 30 / width, y: 50 / height };
const white = { x: 150 / width, y: 50 / height };

describe('a corrected mask', { timeout: 120_000 }, () => {
  let service: TestService;
  beforeAll(async () => void (service = await startMadeService([clickableRemover])));
  afterAll(() => service.close());

  it('has what points choose, and the task stays as it was', async () => {
    const { taskId } = await cutOut(service);
    const keep = { ...grey, kind: 'keep' };
    const remove = { ...white, kind: 'remove' };
    const none = await corrected(service, taskId, {});
    expect(none).toEqual({ grey: 0, white: 255, black: 0 });
    const kept = await corrected(service, taskId, { points: [keep] });
    expect(kept).toEqual({ grey: 255, white: 255, black: 0 });
    const both = await corrected(service, taskId, { points: [keep, remove] });
    expect(both).toEqual({ grey: 255, white: 0, black: 0 });
    // A point was taken back.
    const back = await corrected(service, taskId, { points: [remove] });
    expect(back).toEqual({ grey: 0, white: 0, black: 0 });
    const record = (await service.call('GET', `/api/tasks/${taskId}`)).body as TaskRecord;
    expect(record.options.strokes).toBeUndefined();
  });

  it('is seen alone where it is small, and anew with what is clicked on beside it', async () => {
    const { taskId } = await cutOut(service, {}, 30);
    const [small, beside] = [
      { x: 85 / width, y: 55 / height },
      { x: 35 / width, y: 55 / height },
    ];
    const alpha = async (points: object[]) => {
      const image = await maskOf(service, taskId, { points });
      return [small, beside].map((place) => levelAt(image, place));
    };
    expect(await alpha([])).toEqual([255, 0]);
    const keep = { ...beside, kind: 'keep' };
    expect(await alpha([keep])).toEqual([255, 255]);
    expect(await alpha([keep, { ...small, kind: 'remove' }])).toEqual([0, 255]);
  });

  it('is that of a submit with the same points, which the record has as strokes', async () => {
    const record = await cutOut(service, { points: [{ ...grey, kind: 'keep' }] });
    expect(record.options.strokes).toEqual([
      { kind: 'keep', radius: 0.005, selects: 'object', points: [[grey.x, grey.y]] },
    ]);
    // Points come after those of the task itself.
    const found = await corrected(service, record.taskId, { points: [] });
    expect(found).toEqual({ grey: 255, white: 255, black: 0 });
  });

  it('is refused, in a sentence, for a model without clicks, which the list of models says', async () => {
    const service = await openMadeService([remover]);
    const { taskId } = await cutOut(service);
    const response = await service.call('POST', `/api/task/${taskId}/mask`, {});
    expect(response.status).toBe(400);
    expect(response.text).toContain('Expected a task of a model that takes clicks');
    const { models } = (await service.call('GET', '/api/models')).body as ModelList;
    expect(models.map(({ takesClicks }) => takesClicks)).toEqual([false]);
  });

  it('that nobody waits for any more is not begun', async () => {
    const { promise: held, resolve } = Promise.withResolvers<undefined>();
    let begun = 0;
    const task = { operation: 'remove-bg', options: { model: 'one' } } as unknown as Task;
    const notUsed = () => {
      throw new Error('No mask is made here.');
    };
    const masks = createLiveMasks({
      engine: { work: notUsed },
      models: {
        openMaskNetwork: async () => {
          begun += 1;
          await held;
          throw new EnlargerError('MODEL_UNAVAILABLE', 'None is here.');
        },
        openSelector: notUsed,
      },
      results: { viewPaths: notUsed },
      views: { sourceThumb: notUsed },
      scratchDir: '',
      settings: notUsed,
    });
    const gone = new AbortController();
    const first = masks.correct(task, [], new AbortController().signal);
    const others = Array.from({ length: 20 }, () => masks.correct(task, [], gone.signal));
    gone.abort();
    resolve(undefined);
    const outcomes = await Promise.allSettled([first, ...others]);
    const codes = outcomes.map(
      (one) => one.status === 'rejected' && (one.reason as { code?: string }).code,
    );
    expect(codes).toEqual(['MODEL_UNAVAILABLE', ...others.map(() => 'CANCELLED')]);
    expect(begun).toBe(1);
  });

  it('refuses more points and strokes than a task may have', async () => {
    const point = { ...grey, kind: 'keep' };
    const stroke = { kind: 'keep', radius: 0.1, points: [[0, 0]] };
    const response = await service.call('POST', '/api/remove-bg', {
      imageUrl: 'data:image/png;base64,AAAA',
      points: Array.from({ length: 150 }, () => point),
      strokes: Array.from({ length: 51 }, () => stroke),
    });
    expect(response.status).toBe(400);
    expect(response.text).toContain('at most 200 points and strokes together but received 201');
  });
});
