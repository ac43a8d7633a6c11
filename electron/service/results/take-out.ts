/**
 * Takes the copy of a result out of a person's folder again. Only a file is removed that is, byte for byte, the result
 * that Enlarger keeps: nothing is lost with it, and what somebody changed stays.
 */
import type { BigIntStats } from 'node:fs';
import { rm, type FileHandle } from 'node:fs/promises';
import { isSameFile, type FolderHandle } from '../../../packages/files/src/folder-handle.ts';
import { openPlainFile } from '../../../packages/files/src/plain-file.ts';
import { statOf } from './save-to-folder.ts';

/** `changed`: the file is another one now, and stays. `missing`: there is no file of that name. */
export type TakenOut = 'taken' | 'missing' | 'changed' | 'expired';

export interface TakeOutRequest {
  /** Granted, and kept open since that was checked. */
  folder: FolderHandle;
  /** The copy's name in the folder. */
  name: string;
  /** Path of the result that is kept. */
  kept: string;
  /** Commits that the result stays from now on. Returns false if it has expired. */
  hold: () => boolean;
}

/** Closes the folder. Throws the system's errors, and then the file is still there. */
export async function takeOut({ folder, name, kept, hold }: TakeOutRequest): Promise<TakenOut> {
  try {
    const path = folder.pathOf(name);
    const found = await statOf(path);
    if (found === undefined) return 'missing';
    const compared = found.isFile() ? await compare(path, kept) : undefined;
    if (compared === undefined) return 'changed';
    if (!hold()) return 'expired';
    await folder.assertSame();
    const now = await statOf(path);
    if (now === undefined || !isUnchanged(now, compared)) return 'changed';
    await rm(path);
    await folder.sync();
    return 'taken';
  } finally {
    await folder.close();
  }
}

/** Stat of the copy from before it was read; undefined if it is not as the kept file. */
async function compare(path: string, kept: string): Promise<BigIntStats | undefined> {
  const copy = await openPlainFile(path);
  try {
    const result = await openPlainFile(kept);
    try {
      const before = await copy.stat({ bigint: true });
      const { size } = await result.stat({ bigint: true });
      return before.size === size && (await hasSameBytes(copy, result)) ? before : undefined;
    } finally {
      await result.close();
    }
  } finally {
    await copy.close();
  }
}

const chunkBytes = 1 << 20;

async function hasSameBytes(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [ofOne, ofOther] = [Buffer.alloc(chunkBytes), Buffer.alloc(chunkBytes)];
  for (let at = 0; ;) {
    const { bytesRead } = await one.read(ofOne, 0, chunkBytes, at);
    if (bytesRead === 0) return true;
    for (let got = 0; got < bytesRead;) {
      const read = await other.read(ofOther, got, bytesRead - got, at + got);
      if (read.bytesRead === 0) return false;
      got += read.bytesRead;
    }
    if (!ofOne.subarray(0, bytesRead).equals(ofOther.subarray(0, bytesRead))) return false;
    at += bytesRead;
  }
}

const isUnchanged = (now: BigIntStats, before: BigIntStats): boolean =>
  isSameFile(now, before) && now.size === before.size && now.mtimeNs === before.mtimeNs;
