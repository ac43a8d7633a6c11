/**
 * V8's compiled code of the programs, kept in the data folder, which belongs to the user alone. Later starts read it
 * instead of compiling a few megabytes of source.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readDataDir } from './data-dir.ts';

export const codeCacheIn = (engineCacheDir: string): string => path.join(engineCacheDir, 'code');

/**
 * Enables the cache for all modules that are loaded from now on, unless the data folder is still to be made.
 *
 * @param args of the command line, which may name another data folder
 */
export function enableCodeCache(args: string[]): void {
  const engineCacheDir = path.join(dataDirOf(args), 'engine-cache');
  // Older Electrons have a Node without it.
  if ('enableCompileCache' in module && existsSync(engineCacheDir))
    module.enableCompileCache(codeCacheIn(engineCacheDir));
}

/** Writes what was compiled since the start, for a process that ends at once. */
export function keepCompiledCode(): void {
  if ('flushCompileCache' in module) module.flushCompileCache();
}

/** The command line reports what is wrong with its arguments; here the default stands for that. */
function dataDirOf(args: string[]): string {
  const { values } = parseArgs({
    args,
    options: { 'data-dir': { type: 'string' } },
    strict: false,
  });
  const named = values['data-dir'];
  return readDataDir(typeof named === 'string' && named !== '' ? named : undefined);
}
