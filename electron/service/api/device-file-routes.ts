/**
 * Routes of the files that some devices need and that Enlarger does not contain. Downloads start on request
 * only.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash, randomUUID, type Hash } from 'node:crypto';
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  DeviceFilesList,
  type DeviceFiles,
} from '../../../packages/contract/src/models/obtainable.ts';
import {
  clientGone,
  rawBody,
  takeRawBodies,
  type Api,
  type OpenStreams,
  answers,
  IdParams,
  ref,
} from '../../../packages/http/src/index.ts';
import { downloadRoutes } from './download-routes.ts';
import { receiveFile } from '../sources/received-file.ts';
import type { AddedDeviceFiles } from '../devices/added-files.ts';
import type { Downloads } from '../models/obtain/downloads.ts';

export interface DeviceFileDeps {
  deviceFiles: AddedDeviceFiles;
  deviceDownloads: Downloads<DeviceFiles>;
  /** Files that live as long as one request. */
  scratchDir: string;
}

const binary = { type: 'string', format: 'binary' };
const shownBody = { content: { 'application/octet-stream': { schema: binary } } };
/** Above the size of any of the archives. */
const maxArchiveBytes = 2 ** 30;

const listOf = ({ deviceFiles, deviceDownloads }: DeviceFileDeps): DeviceFilesList => ({
  deviceFiles: [...deviceDownloads.things],
  ...(deviceFiles.installedId !== undefined && { installedId: deviceFiles.installedId }),
});

export async function deviceFileRoutes(
  app: Api,
  deps: DeviceFileDeps,
  streams: OpenStreams,
): Promise<void> {
  const { deviceFiles, deviceDownloads } = deps;
  app.get(
    '/api/devices/obtainable',
    {
      schema: {
        tags: ['models'],
        summary: 'List device files that can be downloaded, with host, hash and licence',
        response: answers({ 200: ref(DeviceFilesList) }),
      },
    },
    () => listOf(deps),
  );
  app.delete(
    '/api/devices/:id/files',
    {
      schema: {
        tags: ['models'],
        summary: "Remove a device's files",
        params: IdParams,
        response: answers({ 204: Type.Null() }, 'NOT_FOUND'),
      },
    },
    async (request, reply) => {
      await deviceFiles.remove(request.params.id);
      return reply.code(204).send(null);
    },
  );
  const summary = "Fetch and install a device's files; two requests share one download";
  const downloads = deviceDownloads;
  downloadRoutes(app, { base: '/api/devices', summary, downloads }, streams);
  await app.register((scope, _options, done) => {
    archiveRoute(scope, deps);
    done();
  });
}

/** The route whose body is an archive, of any content type. */
function archiveRoute(app: Api, deps: DeviceFileDeps): void {
  const { deviceFiles, deviceDownloads, scratchDir } = deps;
  takeRawBodies(app);
  app.put(
    '/api/devices/:id/files',
    {
      config: { shownBody },
      schema: {
        tags: ['models'],
        summary: "Install a device's files from a local archive, for machines that are offline",
        params: IdParams,
        response: answers(
          { 200: ref(DeviceFilesList) },
          'INVALID_REQUEST',
          'NOT_FOUND',
          'PAYLOAD_TOO_LARGE',
          'STORAGE_FULL',
        ),
      },
    },
    async (request, reply) => {
      const files = deviceDownloads.things.find(({ id }) => id === request.params.id);
      if (!files)
        throw new EnlargerError(
          'NOT_FOUND',
          `No device of this system needs ${request.params.id}.`,
        );
      const signal = clientGone(reply);
      const path = join(scratchDir, `device-files-${randomUUID()}`);
      const hash = createHash('sha256');
      try {
        await receiveFile(path, hashed(rawBody(request, "an archive's bytes"), hash), {
          maxBytes: maxArchiveBytes,
          tooLarge: 'PAYLOAD_TOO_LARGE',
          tooLargeSentence: `The archive is larger than ${maxArchiveBytes} bytes; it is another one.`,
          signal,
        });
        await deviceFiles.install(files, { path, sha256: hash.digest('hex') }, signal);
        return listOf(deps);
      } finally {
        await rm(path, { force: true });
      }
    },
  );
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
