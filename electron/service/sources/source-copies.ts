/**
 * Cache of granted files' copies. Readers get a copy because the person's file may change at any time. Copies
 * are kept for a while, so that a photo that is inspected and then enlarged is copied once. Each reader has
 * its own hard link, which it deletes.
 */
import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { link, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { clearAway } from '../../../packages/files/src/clear-away.ts';
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
  idleMs?: number;
  /** Total size, 512 MB by default. */
  maxBytes?: number;
}

interface CachedCopy {
  path: string;
  sizeBytes: number;
  timer: NodeJS.Timeout;
}

type CopyRequest = Parameters<FetchSource>[1];

/** A file modified more recently may change again with the same modification time. */
const quietMs = 3000;

export function createSourceCopies(options: SourceCopiesOptions): SourceCopies {
  const { scratchDir, idleMs = 120_000, maxBytes = 512 * 1024 ** 2 } = options;
  const copies = new Map<string, CachedCopy>();
  const copying = new Map<string, Promise<unknown>>();
  let isClosed = false;

  const drop = async (key: string) => {
    const copy = copies.get(key);
    copies.delete(key);
    clearTimeout(copy?.timer);
    if (copy) await clearAway(copy.path);
  };
  const dropAll = () => Promise.all([...copies.keys()].map(drop));
  const put = (key: string, copy: Omit<CachedCopy, 'timer'>) => {
    clearTimeout(copies.get(key)?.timer);
    copies.delete(key);
    copies.set(key, { ...copy, timer: setTimeout(() => void drop(key), idleMs).unref() });
  };
  const cacheCopy = async (key: string, fromPath: string, sizeBytes: number) => {
    if (isClosed || sizeBytes > maxBytes) return;
    const path = join(scratchDir, `copy-${randomUUID()}`);
    // Without hard links no copy is kept.
    if (!(await isLinked(fromPath, path))) return;
    put(key, { path, sizeBytes });
    let sum = [...copies.values()].reduce((all, one) => all + one.sizeBytes, 0);
    for (const [oldest, copy] of copies) {
      if (sum <= maxBytes) break;
      sum -= copy.sizeBytes;
      await drop(oldest);
    }
  };
  const copy = async (file: FileHandle, request: CopyRequest): Promise<ReceivedFile> => {
    try {
      return await receiveFrom(file, request);
    } catch (thrown) {
      const isFull = thrown instanceof EnlargerError && thrown.code === 'STORAGE_FULL';
      if (!isFull || copies.size === 0) throw thrown;
      await dropAll();
      return receiveFrom(file, request);
    }
  };
  const copyAndCache = async (file: FileHandle, key: string, request: CopyRequest) => {
    const startMs = Date.now();
    const { sizeBytes } = await copy(file, request);
    const after = await file.stat({ bigint: true });
    const isStable = startMs - Number(after.mtimeMs) > quietMs;
    if (isStable && keyOf(after) === key) await cacheCopy(key, request.toPath, sizeBytes);
  };
  const ownCopy = async (file: FileHandle, request: CopyRequest): Promise<void> => {
    const key = keyOf(await file.stat({ bigint: true }));
    for (let other = copying.get(key); other && !request.signal.aborted; other = copying.get(key))
      await settled(other, request.signal);
    const cached = copies.get(key);
    assertSize(cached?.sizeBytes ?? 0, request.settings);
    if (cached && (await isLinked(cached.path, request.toPath))) {
      if (copies.get(key) === cached) put(key, cached);
      return;
    }
    const work = copyAndCache(file, key, request);
    copying.set(key, work);
    await work.finally(() => {
      if (copying.get(key) === work) copying.delete(key);
    });
  };
  return {
    fetch: (source, request) =>
      source.kind === 'file'
        ? withGrantedFile(source, request, (file) => ownCopy(file, request))
        : fetchSource(source, request),
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
async function settled(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise((resolve) =>
    signal.addEventListener('abort', resolve, { once: true }),
  );
  await Promise.race([work.catch(() => undefined), aborted]);
}
