/**
 * Distinguishes harmless structural faults from damage after libvips refused a file. Decoding is strict in
 * either case: a repaired file is decoded from a copy without the fault.
 */
import { note, part } from '../../../contract/src/notes/notes.ts';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableFormat } from '../../../contract/src/formats.ts';
import { writeAll } from '../../../files/src/write-all.ts';
import { createYield, neverAborted } from '../../../../electron/engine/cancellation/yield.ts';
import { repairJpeg, type JpegRepairOutcome } from './repair-jpeg.ts';
import { repairTiff } from './repair-tiff.ts';

export type RepairOutcome =
  | { kind: 'repaired'; path: string; note: string }
  /** The first `rows` of `height` rows arrived. */
  | { kind: 'cut'; rows: number; height: number };

/** JPEGs are examined in memory. */
const maxJpegBytes = 512 * 1024 * 1024;

export const repairedName = 'repaired';

/** Returns undefined for damage, and for formats whose decoders do not warn. */
export async function repairPicture(
  sourcePath: string,
  format: ReadableFormat,
  scratchDir: string,
): Promise<RepairOutcome | undefined> {
  const path = join(scratchDir, repairedName);
  if (format === 'tiff') {
    const outcome = repairTiff(sourcePath, path);
    return outcome?.kind === 'repaired'
      ? { kind: 'repaired', path, note: noteOn([part('DIRECTORY')]) }
      : outcome;
  }
  const repair = format === 'jpeg' ? await examineJpeg(sourcePath) : undefined;
  if (repair?.kind !== 'repaired') return repair;
  const fd = openSync(path, 'wx');
  try {
    let at = 0;
    for (const part of repair.parts) {
      writeAll(fd, Buffer.from(part.buffer, part.byteOffset, part.length), at);
      at += part.length;
    }
  } finally {
    closeSync(fd);
  }
  return { kind: 'repaired', path, note: noteOn(repair.faults) };
}

/** Repairs a JPEG in memory, for reading its header. */
export async function repairedHead(sourcePath: string): Promise<Buffer | undefined> {
  const repair = await examineJpeg(sourcePath);
  return repair?.kind === 'repaired' ? Buffer.concat(repair.parts) : undefined;
}

/** Repairs a JPEG in memory, or finds how many of its rows arrived. */
export async function examineJpeg(sourcePath: string): Promise<JpegRepairOutcome | undefined> {
  if (statSync(sourcePath).size > maxJpegBytes) return undefined;
  return repairJpeg(readFileSync(sourcePath), createYield(neverAborted));
}

const noteOn = (faults: readonly string[]) => note('FILE_REPAIRED', { faults: faults.join(', ') });
