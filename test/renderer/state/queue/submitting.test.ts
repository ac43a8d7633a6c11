import { expect, it, vi } from 'vitest';
import { defaultChoices } from '../../../../packages/contract/src/settings/page.ts';
import type { Problem } from '../../../../renderer/api/calls.svelte.ts';
import { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';
import { Submitting } from '../../../../renderer/state/queue/submitting.ts';

type Parts = ConstructorParameters<typeof Submitting>[0];

/** The priority that is requested of the next version of a photo whose task had another one. */
async function priorityOfNext(before: number, requested?: number): Promise<unknown> {
  let priority: unknown;
  const choices = { ...defaultChoices };
  const record = { priority: before, source: { kind: 'upload', name: 'a.jpg', kept: true } };
  const photo = { taskId: 'task', choices, record, versions: {} } as unknown as Photo;
  const client = {
    again: (_: string, change: { options: { priority?: number } }) => {
      ({ priority } = change.options);
      return Promise.resolve('next');
    },
  };
  const list = { wantedOf: () => choices, againFrom: () => photo };
  const rows = { arrive: () => Promise.resolve(), byTask: new Map() };
  const onProblem = ({ message }: Problem) => expect.fail(message);
  const submitting = new Submitting({ client, list, rows, onProblem } as unknown as Parts);
  const place = { saveTo: '', onlyAccepted: false };
  await submitting.again([photo], () => place, requested);
  return priority;
}

it('puts a version first that a person waits for, and no other one after it', async () => {
  expect(await priorityOfNext(0, 10)).toBe(10);
  expect(await priorityOfNext(10, 10)).toBe(10);
  expect(await priorityOfNext(10)).toBe(0);
  expect(await priorityOfNext(0)).toBeUndefined();
});

it('sends what was painted with a source that the service no longer keeps', async () => {
  const strokes = [{ kind: 'keep', radius: 0.1, points: [[0.5, 0.5]] }];
  const choices = { ...defaultChoices };
  const bodyOf = async (operation: 'upscale' | 'remove-bg') => {
    const made = { phase: 'ready', choices: { ...choices, operation }, versions: { key: 'key' } };
    const ready = vi.spyOn(Photo, 'ready').mockReturnValue(made as unknown as Photo);
    let body: unknown;
    const client = {
      submit: (_: string, options: unknown) => {
        body = options;
        return Promise.resolve('next');
      },
    };
    const list = {
      wantedOf: () => made.choices,
      againFrom: () => ({ name: 'a.jpg', imageUrl: 'file:///a.jpg' }),
      include: () => undefined,
      photos: [made],
    };
    const nothing = () => Promise.resolve();
    const parts = {
      ...{ client, list, rows: { begin: nothing }, kept: { hold: nothing } },
      preparation: { measure: nothing, imageUrl: () => Promise.resolve('file:///a.jpg') },
      connection: { send: (call: () => Promise<unknown>) => call() },
    };
    const photo = { choices, strokes, amountMask: 'painted', versions: made.versions };
    const place = { saveTo: '', onlyAccepted: false };
    await new Submitting(parts as unknown as Parts).again([photo as unknown as Photo], () => place);
    ready.mockRestore();
    return body;
  };
  expect(await bodyOf('upscale')).toMatchObject({ amountMask: 'painted', strokes });
  expect(await bodyOf('remove-bg')).not.toHaveProperty('strokes');
});
