/** The environment of every process that loads onnxruntime. */

import { rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * From version 1.29 on, onnxruntime outside Windows sends usage to its maker, unless this variable is set
 * when the process starts: native code reads it once.
 */
export const noTelemetry = { ORT_DISABLE_TELEMETRY: '1' } as const;

/** Makes CUDA number cards by slot, as in the list from which people choose; its default is by speed. */
const cardOrder = { CUDA_DEVICE_ORDER: 'PCI_BUS_ID' } as const;

const megabyte = 1024 * 1024;

/**
 * glibc: large allocations are returned at once, and all threads share two arenas. By default glibc keeps
 * what each thread freed, and an engine that had done many small pictures held twice as much. Other C
 * libraries ignore these variables.
 */
const memorySettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(4 * megabyte),
  MALLOC_TRIM_THRESHOLD_: String(32 * megabyte),
} as const;

/**
 * Settings for Node or Electron could load code into the engine, and only the command line uses the pool's
 * password.
 */
const excluded = [
  ...['NODE_OPTIONS', 'NODE_PATH', 'ELECTRON_RUN_AS_NODE'],
  'ENLARGER_POOL_PASSWORD',
];

export function engineEnvironment(own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const inherited = Object.entries(own).filter(([name]) => !excluded.includes(name));
  return { ...memorySettings, ...Object.fromEntries(inherited), ...noTelemetry, ...cardOrder };
}

/** @throws unless this process was started with `noTelemetry`; to be called before onnxruntime's first call */
export function assertNoTelemetry(own: NodeJS.ProcessEnv = process.env): void {
  const missing = Object.entries(noTelemetry).filter(([name, value]) => own[name] !== value);
  if (missing.length === 0) return;
  const wanted = missing.map(([name, value]) => `${name}=${value}`).join(' ');
  throw new Error(
    `Expected ${wanted} in the environment, without which onnxruntime sends usage to its maker. Start this process with it.`,
  );
}

/** Folder with added libraries, for the engine and every process that it starts. */
export const runtimeVariable = 'ENLARGER_DEVICE_FILES';

const library = 'libonnxruntime.so.1';
const binaries = 'bin/napi-v6/linux/x64';

/**
 * Additional variables of a process that loads onnxruntime where a device's libraries are in a folder of
 * their own. onnxruntime looks for them beside itself, and its package may be read-only; so the folder gets a
 * link to onnxruntime, which the system's loader uses. Linux only; empty without a folder.
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
