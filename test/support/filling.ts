/** A disk to its last block, and back. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

const fillingIn = (folder: string) => path.join(folder, 'filling');

export function fill(folder: string): void {
  const file = openSync(fillingIn(folder), 'w');
  for (const size of [1 << 20, 4096])
    for (;;) {
      try {
        writeSync(file, Buffer.alloc(size, 1));
      } catch {
        break;
      }
    }
  closeSync(file);
}

export const empty = (folder: string) => rmSync(fillingIn(folder), { force: true });
