/**
 * Cache of granted files' copies. Readers get a copy because the person's file may change at any time. Copies
 * are kept for a while, so that a photo that is inspected and then enlarged is copied once. Each reader has
 * its own hard link, which it deletes.
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
  /** Same as fetchSource; the grant is checked each time. */
  fetch: FetchSource;
  /** Deletes all copies and keeps none from here on. */
  close(): Promise<void>;
}

interface SourceCopiesOptions {
  /** Absolute; exists. */
  scratchDir: string;
  /** Time after the last use, 2 minutes by default. */
  keptMs?: number;
  /** Total size, 512 MB by default. */
  keptBytes?: number;
}

interface Copy {
  path: string;
  sizeBytes: number;
  timer: NodeJS.Timeout;
}

type FetchOptions = Parameters<FetchSource>[1];

/** A file modified more recently may change again with the same modification time. */
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
    // Without hard links no copy is kept.
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

/** Changes whenever the file's bytes do. */
const keyOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats) =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ');

/** False on any error; the caller then copies. */
const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  );

/** Resolves when the work has settled or the signal fires. */
async function ended(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const left = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([work.catch(() => undefined), left]);
}
