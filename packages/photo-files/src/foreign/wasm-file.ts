/**
 * Reads a package's WebAssembly as published, or compressed as in packaged applications (packaging/pack.ts).
 */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** A published file has precedence, so that users may put their own beside the compressed one. */
export function readWasm(file: string): Uint8Array {
  if (existsSync(file)) return readFileSync(file);
  return brotliDecompressSync(readFileSync(`${file}.br`));
}
