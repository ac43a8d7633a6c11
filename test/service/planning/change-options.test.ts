import { describe, expect, it } from 'vitest';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import { changeOptions } from '../../../electron/service/planning/change-options.ts';
import {
  dataUrl,
  openService,
  testModel,
  testRemover,
  type TestService,
} from '../../support/service.ts';

async function waiting(
  fields: Record<string, unknown> = {},
): Promise<{ service: TestService; taskId: string }> {
  const service = await openService({ models: [testModel, testRemover] });
  await service.call('POST', '/api/queue/pause');
  const taskId = await service.submit(undefined, fields);
  await untilLookedAt(service, taskId);
  return { service, taskId };
}

/** A picture is looked at once its task waits, which its record tells. */
const untilLookedAt = (service: TestService, taskId: string) =>
  expect.poll(async () => (await service.record(taskId)).estimate).toBeDefined();

const patch = (service: TestService, taskId: string, body: object) =>
  service.call('PATCH', `/api/task/${taskId}`, body);

const optionsAfter = async (service: TestService, taskId: string, body: object) => {
  const response = await patch(service, taskId, body);
  expect(response).toMatchObject({ status: 200 });
  expect(await service.record(taskId)).toEqual(response.body);
  return (response.body as TaskRecord).options;
};

describe('the options of a waiting task', () => {
  it('change where they are named, and are what the engine is told', async () => {
    const { service, taskId } = await waiting({ format: 'jpeg', quality: 80 });
    const options = await optionsAfter(service, taskId, { options: { scale: 4, quality: 60 } });
    expect(options).toMatchObject({ scale: 4, format: 'jpeg', formatChosen: true, quality: 60 });
    await service.call('POST', '/api/queue/resume');
    await service.until(taskId, 'FINISHED');
    expect(service.engine.jobs.at(-1)).toMatchObject({ format: 'jpeg', quality: 60 });
  });

  it('keep the strokes of a cut-out, which the engine is told', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    await service.call('POST', '/api/queue/pause');
    const strokes = [{ kind: 'keep', radius: 0.05, points: [[0.5, 0.25]] }];
    const body = { imageUrl: dataUrl, strokes };
    const response = await service.call('POST', '/api/remove-bg', body);
    const { taskId } = response.body as { taskId: string };
    await untilLookedAt(service, taskId);
    const options = await optionsAfter(service, taskId, { options: { background: 'white' } });
    expect(options).toMatchObject({ background: '#ffffff', strokes });
    await service.call('POST', '/api/queue/resume');
    await service.until(taskId, 'FINISHED');
    expect(service.engine.jobs.at(-1)).toMatchObject({ strokes });
  });

  it('go back to the default by null, and a size takes the place of the scale', async () => {
    const { service, taskId } = await waiting({ scale: 8, format: 'jpeg', quality: 80 });
    const sized = await optionsAfter(service, taskId, {
      options: { longEdge: 900, quality: null, format: null },
    });
    expect(sized).toEqual({
      target: { kind: 'longEdge', value: 900 },
      model: 'faithful',
      format: 'same',
      formatChosen: false,
      bitDepth: 'same',
      metadata: 'keep',
    });
    const scaled = await optionsAfter(service, taskId, { options: { scale: 2 } });
    expect(scaled).not.toHaveProperty('target');
  });

  it('become those of another operation, with what both take', async () => {
    const { service, taskId } = await waiting({ scale: 4, quality: 70 });
    const response = await patch(service, taskId, {
      operation: 'remove-bg',
      options: { background: '#fff' },
    });
    expect(response.body).toMatchObject({
      operation: 'remove-bg',
      options: { model: 'cutout', background: '#ffffff', quality: 70, format: 'png' },
    });
    expect(response.text).not.toContain('"scale"');
  });

  it('change together with place and priority', async () => {
    const { service, taskId } = await waiting();
    await service.submit();
    const body = { options: { scale: 8 }, priority: -2 };
    expect((await patch(service, taskId, body)).body).toMatchObject({
      options: { scale: 8 },
      priority: -2,
      place: 2,
    });
    const refused = await patch(service, taskId, {
      options: { scale: 2 },
      place: { before: 'nobody' },
    });
    expect(refused.body).toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect((await service.record(taskId)).options.scale).toBe(8);
  });

  it('are refused as at a submit, and nothing changes then', async () => {
    const { service, taskId } = await waiting();
    const before = await service.record(taskId);
    for (const [body, sentence] of [
      [{ options: { scale: 3 } }, 'Expected options.scale to be one of 1, 2, 4, 8, 16'],
      [{ options: { imageUrl: 'http://example.org/' } }, 'received options.imageUrl'],
      [{ options: { scale: 2, width: 10 } }, 'Expected one of scale'],
      [{ options: { model: 'cutout' } }, 'Expected model to be one of faithful'],
      [{ options: { background: 'blur' } }, 'received options.background'],
      [{ operation: 'melt' }, 'Expected operation to be one of upscale, remove-bg'],
    ] as const) {
      const response = await patch(service, taskId, body);
      expect([response.status, response.text]).toEqual([400, expect.stringContaining(sentence)]);
    }
    const elsewhere = await patch(service, taskId, { options: { saveTo: '/nowhere' } });
    expect(elsewhere.body).toMatchObject({ code: 'FORBIDDEN_PATH' });
    expect(await service.record(taskId)).toEqual(before);
  });

  it('do not change once it is taken', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const taskId = await service.submit();
    await service.until(taskId, 'PROCESSING');
    const response = await patch(service, taskId, { options: { scale: 4 } });
    expect(response).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const nobody = await patch(service, crypto.randomUUID(), { options: { scale: 4 } });
    expect(nobody.status).toBe(404);
  });
});

describe('changed options', () => {
  it('round trip all that a task was asked', () => {
    const options = {
      target: { kind: 'width', value: 5 },
      model: 'faithful',
      format: 'same',
      formatChosen: false,
      bitDepth: 16,
      metadata: 'private',
      name: '{name}',
    } as const;
    expect(changeOptions({ operation: 'upscale', options }, {})).toEqual({
      operation: 'upscale',
      fields: { width: 5, model: 'faithful', bitDepth: 16, metadata: 'private', name: '{name}' },
    });
  });
});
