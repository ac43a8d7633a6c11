/** Reads a package's WebAssembly as published, or compressed, as applications hold it (packaging/pack.ts). */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** A published file goes first, so that a person may put their own file beside the compressed one. */
export function readWasm(file: string): Uint8Array {
  if (existsSync(file)) return readFileSync(file);
  return brotliDecompressSync(readFileSync(`${file}.br`));
}
