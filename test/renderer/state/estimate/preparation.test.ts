import { expect, it, vi } from 'vitest';
import type { Client } from '../../../../packages/api-client/src/client.ts';
import { ApiError } from '../../../../packages/api-client/src/transport.ts';
import { defaultChoices } from '../../../../packages/contract/src/settings/page.ts';
import type { Connection } from '../../../../renderer/api/connection.svelte.ts';
import { Preparation } from '../../../../renderer/state/estimate/preparation.ts';
import type { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';

const estimate = { width: 800, height: 534, fileSizeBytes: 70_000, scratchBytes: 0, seconds: 11 };
const draft = { ...defaultChoices, upscaler: 'detail' };

function begun(imageUrl?: string, taskId?: string) {
  const source = imageUrl === undefined ? undefined : { imageUrl };
  const versions: Partial<Photo['versions']> = { draft };
  return { phase: 'FINISHED', choices: defaultChoices, versions, source, taskId };
}

it('estimates the next version of a photo by what is changed, and none without its source', async () => {
  const asked: unknown[] = [];
  const client = {
    estimate: (request: unknown) => {
      asked.push(request);
      return Promise.resolve(estimate);
    },
  };
  const connection = { whenOpen: () => Promise.resolve() };
  const preparation = new Preparation(
    client as unknown as Client,
    connection as unknown as Connection,
    {
      onRefused: () => undefined,
      onSource: () => undefined,
      keptSource: ({ source, taskId }) => source ?? (taskId === undefined ? undefined : { taskId }),
    },
  );
  const [known, watched, sourceless] = [
    begun('file:///a.jpg', 'task'),
    begun(undefined, 'task'),
    begun(),
  ];
  preparation.want([sourceless, known, watched] as unknown as Photo[]);
  await vi.waitFor(() => expect(watched.versions.estimate).toBe(estimate));
  expect(known.versions.estimate).toBe(estimate);
  const common = { model: 'detail' };
  expect(asked).toEqual([
    expect.objectContaining({ ...common, imageUrl: 'file:///a.jpg' }),
    expect.objectContaining({ ...common, taskId: 'task' }),
  ]);
  expect(sourceless.versions.estimate).toBeUndefined();
});

it('fails a photo whose file is gone, and takes no answer for a service that is away where it is there', async () => {
  const upload = () => Promise.reject(new ApiError('OFFLINE', 'The service does not answer.'));
  const preparation = new Preparation(
    { upload } as unknown as Client,
    {} as unknown as Connection,
    { onRefused: () => undefined, onSource: () => undefined, keptSource: () => undefined },
  );
  const file = new File(['photo'], 'a.jpg');
  const gone = Object.assign(new File(['photo'], 'b.jpg'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotFoundError')) }),
  });
  const send = (of: File) => preparation.imageUrl({ file: of } as unknown as Photo);
  await expect(send(file)).rejects.toMatchObject({ code: 'OFFLINE' });
  await expect(send(gone)).rejects.toMatchObject({ code: 'FILE_GONE' });
});
