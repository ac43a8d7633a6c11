/**
 * Samples and files are equal where their bytes are. By vitest's own way each sample of two pictures is compared with a
 * text of its own that names its place, which takes seconds for a few megapixels.
 */
import { expect } from 'vitest';

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Returns undefined where vitest has to look itself, as for numbers of which it says how they differ. */
function isSameBytes(one: unknown, other: unknown): true | undefined {
  if (!ArrayBuffer.isView(one) || !ArrayBuffer.isView(other)) return undefined;
  if (one.constructor !== other.constructor) return undefined;
  return bytesOf(one).equals(bytesOf(other)) || undefined;
}

let isAdded = false;

/** For all files of this process. */
export function compareBytesFirst(): void {
  if (!isAdded) expect.addEqualityTesters([isSameBytes]);
  isAdded = true;
}
