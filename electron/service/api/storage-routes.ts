/** GET /api/storage. */
import { StorageUse } from '../../contract/queue.ts';
import { type Api, answers, ref } from '../../../packages/http/src/index.ts';
import { measureFolder } from '../../files/measure-folder.ts';
import type { DataFolder } from '../data-folder.ts';

export interface StorageDeps {
  folder: Pick<DataFolder, 'root' | 'results' | 'uploads' | 'sources' | 'models'>;
}

export function storageRoutes(app: Api, { folder }: StorageDeps): void {
  const { root, results, uploads, sources, models } = folder;
  app.get(
    '/api/storage',
    {
      // The path names the user.
      config: { administers: true },
      schema: {
        tags: ['service'],
        summary: 'Get the path and the size of the data folder',
        response: answers({ 200: ref(StorageUse) }),
      },
    },
    async () => ({
      folder: root,
      totalBytes: await measureFolder(root),
      resultBytes: await measureFolder(results),
      photoBytes: (await measureFolder(uploads)) + (await measureFolder(sources)),
      modelBytes: await measureFolder(models),
    }),
  );
}
