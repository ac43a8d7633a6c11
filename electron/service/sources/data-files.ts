/** Turns `data:` sources into files, so that a row holds a path and not the picture. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { TaskSource } from '../store/tasks/task.ts';
import { EnlargerError } from '../../contract/errors.ts';
import { linkOrCopy } from '../../files/place-file.ts';
import type { HeldPicture } from './held-pictures.ts';
import { publish, receiveFile, tooLargeSentence } from './received-file.ts';

export interface DataFiles {
  /** Writes bytes, which are on disk when this returns. It throws PAYLOAD_TOO_LARGE or STORAGE_FULL. */
  write(bytes: Uint8Array, maxBytes: number): Promise<TaskSource & { kind: 'data' }>;
  /** Takes over a file that is on the disk already. It throws as write() does. */
  adopt(held: HeldPicture, maxBytes: number): Promise<TaskSource & { kind: 'data' }>;
  /** Writes bytes that are still coming, under the name that their sender gave. It throws as write() does. */
  receive(
    chunks: AsyncIterable<Uint8Array>,
    about: { name: string; maxBytes: number },
  ): Promise<TaskSource & { kind: 'data' }>;
  /** Links a file of the service's own, which stays when the first name goes; without hard links it copies. */
  keep(fromPath: string, about: { name: string; ofTaskId?: string }): Promise<TaskSource>;
  /** Removes the file of a submit that was refused after all. */
  discard(source: TaskSource): Promise<void>;
}

export function createDataFiles(dir: string): DataFiles {
  const receive: DataFiles['receive'] = async (chunks, { name, maxBytes }) => {
    const file = path.join(dir, randomUUID());
    await receiveFile(file, chunks, { maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE', durable: true });
    return { kind: 'data', path: file, name };
  };
  return {
    receive,
    write: (bytes, maxBytes) => receive(Readable.from([bytes]), { name: 'image', maxBytes }),
    async adopt(held, maxBytes) {
      try {
        if (held.sizeBytes > maxBytes)
          throw new EnlargerError('PAYLOAD_TOO_LARGE', tooLargeSentence(maxBytes));
        const file = path.join(dir, randomUUID());
        await publish(held.path, file);
        return { kind: 'data', path: file, name: 'image' };
      } finally {
        await rm(held.path, { force: true });
      }
    },
    async keep(fromPath, about) {
      const file = path.join(dir, randomUUID());
      await linkOrCopy(fromPath, file);
      return { kind: 'data', path: file, ...about };
    },
    async discard(source) {
      if (source.kind === 'data') await rm(source.path, { force: true });
    },
  };
}
