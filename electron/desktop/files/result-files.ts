/**
 * Files of results for other programs: the exported file, or a copy that is deleted when the application
 * ends.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from '../../../packages/api-client/src/client.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';

export interface ResultFileAccess {
  /** Path of the exported result, or of a copy. @throws Error a sentence without a result */
  fileOf(taskId: string): Promise<string>;
  /** Path of the exported result. @throws Error a sentence if it was not exported or is gone */
  savedFileOf(taskId: string): Promise<string>;
  /** Deletes the copies. */
  close(): Promise<void>;
}

/** @param client called each time, because the service may have been replaced */
export function createResultFiles(
  client: () => Pick<Client, 'record' | 'download'>,
  temporary: string = tmpdir(),
): ResultFileAccess {
  const copies = new Map<string, Promise<string>>();
  let folder: Promise<string> | undefined;
  const newFolder = () => (folder ??= mkdtemp(path.join(temporary, 'enlarger-')));

  const copyOf = (record: TaskRecord) => {
    const version = `${record.taskId} ${record.finishedAt ?? ''}`;
    const copy = copies.get(version) ?? copyResult(record, newFolder, client());
    copies.set(version, copy);
    copy.catch(() => copies.delete(version));
    return copy;
  };
  return {
    async fileOf(taskId) {
      const record = await client().record(taskId);
      return (await savedOf(record)) ?? copyOf(record);
    },
    async savedFileOf(taskId) {
      const record = await client().record(taskId);
      const saved = await savedOf(record);
      if (saved !== undefined) return saved;
      throw new Error(
        record.savedTo === undefined
          ? 'This result was not saved into a folder.'
          : `${record.savedTo} is no longer there.`,
      );
    },
    async close() {
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}

async function savedOf({ savedTo }: TaskRecord): Promise<string | undefined> {
  if (savedTo === undefined) return undefined;
  const found = await stat(savedTo).catch(() => undefined);
  return found?.isFile() === true ? savedTo : undefined;
}

/** In a folder of its own, so that the file keeps its name. */
async function copyResult(
  { taskId, imageUrl, attempts }: TaskRecord,
  newFolder: () => Promise<string>,
  client: Pick<Client, 'download'>,
): Promise<string> {
  if (imageUrl === undefined) throw new Error('This photo has no result, or it has expired.');
  const answer = await client.download(imageUrl, new AbortController().signal);
  const folder = path.join(await newFolder(), `${path.basename(taskId)}-${attempts}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, nameOf(answer.headers.get('content-disposition') ?? ''));
  if (answer.body === null) throw new Error('The service sent no result.');
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(file));
  return file;
}

/** File name of a Content-Disposition header (RFC 6266), without path separators. */
export function nameOf(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="([^"]*)"/i.exec(disposition)?.[1];
  const name = extended === undefined ? (plain ?? '') : decodeURIComponent(extended);
  const safe = name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+/, '');
  return safe === '' ? 'result' : safe;
}
