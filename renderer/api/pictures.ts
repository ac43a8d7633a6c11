/** Looking at a task's pictures, trying models on a place, and saving a result again in another format. */
import type {
  ConvertBody,
  PictureSide,
  PreviewBody,
  Previews,
  TaskMetadata,
  Thumbnail,
  ThumbnailBody,
  TileSet,
} from '../../electron/contract/picture.ts';
import type { Submitted } from '../../electron/contract/submit.ts';
import type { Client } from './client.ts';

export type PictureCalls = ReturnType<typeof createPictureCalls>;

export function createPictureCalls({ get, send }: Pick<Client, 'get' | 'send'>) {
  return {
    tiles: (taskId: string, side: PictureSide) => get<TileSet>(`/api/task/${taskId}/tiles/${side}`),
    metadata: (taskId: string) => get<TaskMetadata>(`/api/task/${taskId}/metadata`),
    async preview(body: PreviewBody): Promise<Previews> {
      const response = await send('POST', '/api/previews', body);
      return (await response.json()) as Previews;
    },
    async thumbnail(body: ThumbnailBody): Promise<Thumbnail> {
      const response = await send('POST', '/api/thumbnails', body);
      return (await response.json()) as Thumbnail;
    },
    /** Answers the new task's id. */
    async convert(taskId: string, body: ConvertBody): Promise<string> {
      const response = await send('POST', `/api/task/${taskId}/convert`, body);
      return ((await response.json()) as Submitted).taskId;
    },
  };
}
