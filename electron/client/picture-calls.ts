/** Looking at a task's pictures, trying models on a place, and saving a result again in another format. */
import type {
  ConvertBody,
  PictureSide,
  PreviewBody,
  Previews,
  SaveBody,
  Saved,
  TaskMetadata,
  Thumbnail,
  ThumbnailBody,
  TileSet,
} from '../contract/picture.ts';
import type { Submitted } from '../contract/submit.ts';
import type { Transport } from './transport.ts';

export type PictureCalls = ReturnType<typeof createPictureCalls>;

export function createPictureCalls({ get, send, ask }: Pick<Transport, 'get' | 'send' | 'ask'>) {
  return {
    tiles: (taskId: string, side: PictureSide) => get<TileSet>(`/api/task/${taskId}/tiles/${side}`),
    /** What a cut-out keeps, in grey. */
    mask: async (taskId: string) => (await send('GET', `/api/task/${taskId}/mask`)).blob(),
    /** Where an enlarging changed its photo, in grey. */
    changes: async (taskId: string) => (await send('GET', `/api/task/${taskId}/changes`)).blob(),
    metadata: (taskId: string) => get<TaskMetadata>(`/api/task/${taskId}/metadata`),
    preview: (body: PreviewBody) => ask<Previews>('POST', '/api/previews', body),
    thumbnail: (body: ThumbnailBody) => ask<Thumbnail>('POST', '/api/thumbnails', body),
    /** Answers the new task's id. */
    convert: async (taskId: string, body: ConvertBody) =>
      (await ask<Submitted>('POST', `/api/task/${taskId}/convert`, body)).taskId,
  };
}

/** Finished results into folders, and what a person has taken. */
export type SavingCalls = ReturnType<typeof createSavingCalls>;

export function createSavingCalls({ ask, send }: Transport) {
  return {
    save: (taskId: string, body: SaveBody) => ask<Saved>('POST', `/api/task/${taskId}/save`, body),
    /** It is not unsaved any more. */
    taken: (taskId: string) => send('POST', `/api/task/${taskId}/taken`),
  };
}
