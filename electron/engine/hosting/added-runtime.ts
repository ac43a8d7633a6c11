/**
 * Libraries of a device that lie in a folder of their own. onnxruntime looks for them beside itself, and its package
 * may lie where nobody may write; so the folder gets a link to it, and the system's loader takes it from there.
 */
import { rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Tells the engine, and all that it starts, the folder. */
export const runtimeVariable = 'ENLARGER_DEVICE_FILES';

const library = 'libonnxruntime.so.1';
const binaries = 'bin/napi-v6/linux/x64';

/** What the environment of a process that loads onnxruntime has beside the usual. Linux only; empty without a folder. */
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
