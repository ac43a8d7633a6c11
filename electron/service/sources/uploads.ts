/** Uploaded pictures: a file in the data folder and a row. Unused ones are deleted after an hour. */
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { shortenName } from '../../../packages/contract/src/naming.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { UploadRow, UploadTable } from '../store/uploads.ts';
import type { OrphanFileTable } from '../store/tables.ts';
import { isPartial, receiveFile } from './received-file.ts';

export interface Uploads {
  /**
   * File and row are durable when this resolves.
   * @throws EnlargerError PAYLOAD_TOO_LARGE, or INVALID_REQUEST if empty; then nothing is left
   */
  receive(chunks: AsyncIterable<Uint8Array>, options: UploadOptions): Promise<UploadRow>;
  get(uploadId: string): UploadRow | undefined;
  /** Deletes the upload unless a task needs it. */
  remove(uploadId: string): Promise<void>;
  /** Deletes uploads that no task uses any more, or that were not used within an hour. */
  sweep(): Promise<void>;
  /**
   * Deletes unfinished files of a killed process, and files that no row has named for days. Only before the
   * server listens.
   */
  recover(): Promise<void>;
}

interface UploadOptions {
  /** The client's file name; only its last segment is kept. */
  name: string;
  maxBytes: number;
}

const unusedRetentionMs = 3_600_000;
/** Retention of files without a row: the database may be what is wrong. */
export const orphanRetentionMs = 7 * 24 * 3_600_000;
const sweepBatch = 100;

export function createUploads(
  table: UploadTable,
  orphans: OrphanFileTable,
  dir: string,
  clock: Pick<ServiceClock, 'nowMs'>,
): Uploads {
  return {
    async receive(chunks, { name, maxBytes }) {
      const uploadId = randomUUID();
      const file = path.join(dir, uploadId);
      const received = await receiveFile(file, chunks, {
        maxBytes,
        tooLarge: 'PAYLOAD_TOO_LARGE',
        durable: true,
      });
      const row = { uploadId, path: file, name: plainName(name), createdOn: clock.nowMs() };
      try {
        assertNotEmpty(received.sizeBytes);
        table.insert({ ...row, ...received });
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
      return { ...row, ...received };
    },
    get: (uploadId) => table.get(uploadId),
    async remove(uploadId) {
      const row = table.get(uploadId);
      if (row && table.remove(uploadId)) await rm(row.path, { force: true });
    },
    async sweep() {
      for (const row of table.releasable(clock.nowMs() - unusedRetentionMs, sweepBatch))
        if (table.remove(row.uploadId)) await rm(row.path, { force: true });
    },
    async recover() {
      for (const name of await readdir(dir)) {
        const file = path.join(dir, name);
        const now = clock.nowMs();
        if (table.hasFile(file)) continue;
        if (!isPartial(file) && !orphans.isDue(file, now - orphanRetentionMs, now)) continue;
        await rm(file, { recursive: true, force: true });
        orphans.forget(file);
      }
    },
  };
}

function assertNotEmpty(sizeBytes: number): void {
  if (sizeBytes === 0)
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected the bytes of a picture but received none.',
    );
}

/** As file systems allow. */
const maxNameBytes = 255;

/** Last segment of a name, with either system's separators, without control characters. */
export function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const clean = shortenName(last.replace(/\p{Cc}/gu, '').trim(), maxNameBytes);
  return clean === '' || clean === '.' || clean === '..' ? 'upload' : clean;
}
