/**
 * Keeps copies of granted files. Readers are given a copy in place of the file, because a person's file may
 * change at any moment. A copy is kept for a while, so that a photo that is looked at and then run is copied
 * once. Each reader gets a name of its own for the copy (a hard link), and removes that name when it likes.
 */
import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { link, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';
import { clearAway } from '../../files/clear-away.ts';
import {
  assertSize,
  fetchSource,
  receiveFrom,
  withGrantedFile,
  type FetchSource,
} from './fetch-source.ts';
import type { ReceivedFile } from './received-file.ts';

interface SourceCopies {
  /** Brings a source as fetchSource does; the grant of a file is checked each time. */
  fetch: FetchSource;
  /** Removes all copies; none is kept any more. */
  close(): Promise<void>;
}

interface SourceCopiesOptions {
  /** The folder's path is absolute, and the folder exists. */
  scratchDir: string;
  /** A copy is kept for so long after it was last asked for, by default for 2 minutes. */
  keptMs?: number;
  /** All kept copies together may take so many bytes, by default 512 MB. */
  keptBytes?: number;
}

interface Copy {
  path: string;
  sizeBytes: number;
  timer: NodeJS.Timeout;
}

type FetchOptions = Parameters<FetchSource>[1];

/** A file that was written less than this ago may be written on without another time of change. */
const settledMs = 3000;

export function createSourceCopies(options: SourceCopiesOptions): SourceCopies {
  const { scratchDir, keptMs = 120_000, keptBytes = 512 * 1024 ** 2 } = options;
  const copies = new Map<string, Copy>();
  const copying = new Map<string, Promise<unknown>>();
  let isClosed = false;

  const drop = async (key: string) => {
    const copy = copies.get(key);
    copies.delete(key);
    clearTimeout(copy?.timer);
    if (copy) await clearAway(copy.path);
  };
  const dropAll = () => Promise.all([...copies.keys()].map(drop));
  const put = (key: string, copy: Omit<Copy, 'timer'>) => {
    clearTimeout(copies.get(key)?.timer);
    copies.delete(key);
    copies.set(key, { ...copy, timer: setTimeout(() => void drop(key), keptMs).unref() });
  };
  const keep = async (key: string, fromPath: string, sizeBytes: number) => {
    if (isClosed || sizeBytes > keptBytes) return;
    const path = join(scratchDir, `copy-${randomUUID()}`);
    // On a disk without hard links no copy is kept.
    if (!(await isLinked(fromPath, path))) return;
    put(key, { path, sizeBytes });
    let sum = [...copies.values()].reduce((all, one) => all + one.sizeBytes, 0);
    for (const [oldest, copy] of copies) {
      if (sum <= keptBytes) break;
      sum -= copy.sizeBytes;
      await drop(oldest);
    }
  };
  const copy = async (file: FileHandle, asked: FetchOptions): Promise<ReceivedFile> => {
    try {
      return await receiveFrom(file, asked);
    } catch (thrown) {
      const isFull = thrown instanceof EnlargerError && thrown.code === 'STORAGE_FULL';
      if (!isFull || copies.size === 0) throw thrown;
      await dropAll();
      return receiveFrom(file, asked);
    }
  };
  const copyAndKeep = async (file: FileHandle, key: string, asked: FetchOptions) => {
    const startMs = Date.now();
    const { sizeBytes } = await copy(file, asked);
    const after = await file.stat({ bigint: true });
    const isSettled = startMs - Number(after.mtimeMs) > settledMs;
    if (isSettled && keyOf(after) === key) await keep(key, asked.toPath, sizeBytes);
  };
  const ownCopy = async (file: FileHandle, asked: FetchOptions): Promise<void> => {
    const key = keyOf(await file.stat({ bigint: true }));
    for (let other = copying.get(key); other && !asked.signal.aborted; other = copying.get(key))
      await ended(other, asked.signal);
    const kept = copies.get(key);
    assertSize(kept?.sizeBytes ?? 0, asked.settings);
    if (kept && (await isLinked(kept.path, asked.toPath))) {
      if (copies.get(key) === kept) put(key, kept);
      return;
    }
    const work = copyAndKeep(file, key, asked);
    copying.set(key, work);
    await work.finally(() => {
      if (copying.get(key) === work) copying.delete(key);
    });
  };
  return {
    fetch: (source, asked) =>
      source.kind === 'file'
        ? withGrantedFile(source, asked, (file) => ownCopy(file, asked))
        : fetchSource(source, asked),
    async close() {
      isClosed = true;
      await dropAll();
    },
  };
}

/** Makes a key that stays the same as long as the file's bytes do. */
const keyOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats) =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ');

/** Links a file, and answers false where that fails for whatever reason, because there is another way then. */
const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  );

/** Waits until the work ended, well or not, or the signal fired. */
async function ended(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const left = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([work.catch(() => undefined), left]);
}
