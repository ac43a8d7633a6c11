/** Whether an AVIF was made without loss: its colours are then RGB itself, which its `nclx` box says (H.273, matrix 0). */
import { withFileBytes } from '../metadata/tiff/tiff-directory.ts';

const headBytes = 64 * 1024;
/** Behind the name of the box: two bytes of primaries, two of transfer, two of matrix. */
const matrixAt = 4 + 4;

export const isLosslessAvif = (path: string): boolean =>
  withFileBytes(path, (bytes) => {
    const head = bytes.read(0, headBytes);
    const at = head.indexOf('colrnclx', 0, 'latin1');
    if (at < 0 || at + 4 + matrixAt + 2 > head.length) return false;
    return head.readUInt16BE(at + 4 + matrixAt) === 0;
  });
