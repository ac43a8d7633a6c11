/** GET /api/storage. */
import { StorageUse } from '../../../packages/contract/src/queue.ts';
import { type Api, answers, ref } from '../../../packages/http/src/index.ts';
import { measureFolder } from '../../../packages/files/src/measure-folder.ts';
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
    async () => {
      const resultBytes = await measureFolder(results);
      const photoBytes = (await measureFolder(uploads)) + (await measureFolder(sources));
      const modelBytes = await measureFolder(models);
      const otherBytes = await measureFolder(root, [results, uploads, sources, models]);
      const totalBytes = resultBytes + photoBytes + modelBytes + otherBytes;
      return { folder: root, totalBytes, resultBytes, photoBytes, modelBytes };
    },
  );
}
