/** Stores `data:` sources as files, so that rows hold paths. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { TaskSource } from '../store/tasks/task.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { linkOrCopy } from '../../../packages/files/src/exclusive-name.ts';
import type { StagedImage } from './staged-images.ts';
import { publish, receiveFile, tooLargeSentence } from './received-file.ts';

export interface DataFiles {
  /** Durable when it resolves. @throws EnlargerError PAYLOAD_TOO_LARGE or STORAGE_FULL */
  write(bytes: Uint8Array, maxBytes: number): Promise<TaskSource & { kind: 'data' }>;
  /** Takes over a file that is on disk. Throws like write(). */
  adopt(staged: StagedImage, maxBytes: number): Promise<TaskSource & { kind: 'data' }>;
  /** Writes a stream under its sender's file name. Throws like write(). */
  receive(
    chunks: AsyncIterable<Uint8Array>,
    about: { name: string; maxBytes: number },
  ): Promise<TaskSource & { kind: 'data' }>;
  /** Hard-links a file of the service, or copies it on disks without hard links. */
  link(fromPath: string, about: { name: string; ofTaskId?: string }): Promise<TaskSource>;
  /** Deletes the file of a refused submit. */
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
    async adopt(staged, maxBytes) {
      try {
        if (staged.sizeBytes > maxBytes)
          throw new EnlargerError('PAYLOAD_TOO_LARGE', tooLargeSentence(maxBytes));
        const file = path.join(dir, randomUUID());
        await publish(staged.path, file);
        return { kind: 'data', path: file, name: staged.name ?? 'image' };
      } finally {
        await rm(staged.path, { force: true });
      }
    },
    async link(fromPath, about) {
      const file = path.join(dir, randomUUID());
      await linkOrCopy(fromPath, file);
      return { kind: 'data', path: file, ...about };
    },
    async discard(source) {
      if (source.kind === 'data') await rm(source.path, { force: true });
    },
  };
}
