/** Calls for a task's pictures, previews and conversions. */
import type {
  ConvertBody,
  MaskBody,
  PictureSide,
  PreviewBody,
  Previews,
  SaveBody,
  SaveResult,
  TaskMetadata,
  Thumbnail,
  ThumbnailBody,
  TileSet,
} from '../../contract/src/picture.ts';
import type { SubmitReceipt } from '../../contract/src/request.ts';
import { pathSegment, type Transport } from './transport.ts';

export type PictureCalls = ReturnType<typeof createPictureCalls>;

export function createPictureCalls({ get, send, ask }: Pick<Transport, 'get' | 'send' | 'ask'>) {
  return {
    tiles: (taskId: string, side: PictureSide) =>
      get<TileSet>(`/api/task/${pathSegment(taskId)}/tiles/${side}`),
    /** Mask of a cut-out as a grey picture. */
    mask: async (taskId: string) =>
      (await send('GET', `/api/task/${pathSegment(taskId)}/mask`)).blob(),
    /** The same mask as points and strokes would correct it. */
    correctMask: async (taskId: string, body: MaskBody) =>
      (await send('POST', `/api/task/${pathSegment(taskId)}/mask`, body)).blob(),
    /** Grey picture of where an enlargement differs from its photo. */
    changes: async (taskId: string) =>
      (await send('GET', `/api/task/${pathSegment(taskId)}/changes`)).blob(),
    metadata: (taskId: string) => get<TaskMetadata>(`/api/task/${pathSegment(taskId)}/metadata`),
    preview: (body: PreviewBody) => ask<Previews>('POST', '/api/previews', body),
    thumbnail: (body: ThumbnailBody) => ask<Thumbnail>('POST', '/api/thumbnails', body),
    /** Submits a conversion of a result; returns the new task's id. */
    convert: async (taskId: string, body: ConvertBody) =>
      (await ask<SubmitReceipt>('POST', `/api/task/${pathSegment(taskId)}/convert`, body)).taskId,
  };
}

/** Calls that export finished results, and record which a person has taken. */
export type SavingCalls = ReturnType<typeof createSavingCalls>;

export function createSavingCalls({ ask, send }: Transport) {
  return {
    save: (taskId: string, body: SaveBody) =>
      ask<SaveResult>('POST', `/api/task/${pathSegment(taskId)}/save`, body),
    /** Marks a result as taken, so that it does not count as unsaved. */
    taken: (taskId: string) => send('POST', `/api/task/${pathSegment(taskId)}/taken`),
  };
}
