import { expect, it } from 'vitest';
import { defaultChoices } from '../../../../electron/contract/settings/page.ts';
import type { Problem } from '../../../../renderer/api/calls.svelte.ts';
import type { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';
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
