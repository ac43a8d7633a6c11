/** Photos of the page: what was added is kept by the service, started or not. */
import type { AddedPhotos, AddPhotosBody } from '../contract/photo.ts';
import type { Transport } from './transport.ts';

export type PhotoCalls = ReturnType<typeof createPhotoCalls>;

export function createPhotoCalls({ get, send }: Pick<Transport, 'get' | 'send'>) {
  return {
    list: () => get<AddedPhotos>('/api/photos'),
    put: (photos: AddPhotosBody['photos']) => send('PUT', '/api/photos', { photos }),
    drop: (photos: readonly string[]) => send('POST', '/api/photos/drop', { photos }),
  };
}
