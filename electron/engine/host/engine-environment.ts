/** The environment in which every process that loads onnxruntime starts. */

import { rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * From version 1.29 on, onnxruntime outside Windows sends usage to its maker, unless this variable stands in
 * the environment of its process from the start: the library reads it once, in native code.
 */
export const silence = { ORT_DISABLE_TELEMETRY: '1' } as const;

/** Makes CUDA number cards by slots, as the list does from which people choose; its default is by speed. */
const cardsAsListed = { CUDA_DEVICE_ORDER: 'PCI_BUS_ID' } as const;

const megabyte = 1024 * 1024;

/**
 * Makes glibc give large pieces of memory back at once and use two arenas for all threads. By default it
 * keeps what each thread freed, and an engine that had done many small pictures held twice as much. Other C
 * libraries ignore these variables.
 */
const thriftyMemory = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(4 * megabyte),
  MALLOC_TRIM_THRESHOLD_: String(32 * megabyte),
} as const;

/**
 * The engine does not inherit what a person set for Node or Electron, because it could load code there, nor
 * the password of a pool, which only the command line uses.
 */
const notInherited = [
  ...['NODE_OPTIONS', 'NODE_PATH', 'ELECTRON_RUN_AS_NODE'],
  'ENLARGER_POOL_PASSWORD',
];

export function engineEnvironment(own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const inherited = Object.entries(own).filter(([name]) => !notInherited.includes(name));
  return { ...thriftyMemory, ...Object.fromEntries(inherited), ...silence, ...cardsAsListed };
}

/** Throws unless this process was started with `silence`; it is called before onnxruntime's first call. */
export function assertSilent(own: NodeJS.ProcessEnv = process.env): void {
  const loud = Object.entries(silence).filter(([name, value]) => own[name] !== value);
  if (loud.length === 0) return;
  const wanted = loud.map(([name, value]) => `${name}=${value}`).join(' ');
  throw new Error(
    `Expected ${wanted} in the environment, without which onnxruntime sends usage to its maker. Start this process with it.`,
  );
}

/** The variable that tells the engine, and every process that it starts, the folder with added libraries. */
export const runtimeVariable = 'ENLARGER_DEVICE_FILES';

const library = 'libonnxruntime.so.1';
const binaries = 'bin/napi-v6/linux/x64';

/**
 * Gives the further variables of a process that loads onnxruntime where libraries of a device lie in a folder
 * of their own. onnxruntime looks for them beside itself, and its package may lie where nobody may write; so
 * the folder gets a link to onnxruntime, which the system's loader takes from there. It works on Linux only,
 * and is empty without a folder.
 */
export function runtimeEnvironment(
  folder: string | undefined,
  enginePath: string,
  own: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  if (folder === undefined) return {};
  const entry = createRequire(enginePath).resolve('onnxruntime-node/package.json');
  const link = join(folder, library);
  rmSync(link, { force: true });
  symlinkSync(join(dirname(entry), binaries, library), link);
  const inherited = own['LD_LIBRARY_PATH'];
  return {
    [runtimeVariable]: folder,
    LD_LIBRARY_PATH: inherited ? `${folder}:${inherited}` : folder,
  };
}
