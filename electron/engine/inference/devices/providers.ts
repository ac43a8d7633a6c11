/** Lists the execution providers that onnxruntime has here, in the order in which they are tried. */
import { listSupportedBackends } from 'onnxruntime-node';
import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { providers, type Provider } from '../../../contract/models/devices.ts';
import { runtimeVariable, assertSilent } from '../../host/engine-environment.ts';

/** Lists them: CUDA before DirectML before CoreML before WebGPU, and the CPU last, which is always there. */
export function providersHere(): Provider[] {
  assertSilent();
  const present = listSupportedBackends()
    .filter((backend) => backend.bundled || isInstalled(backend.name))
    .map((backend) => backend.name);
  return providers.filter((provider) => provider === 'cpu' || present.includes(provider));
}

/** Tells whether a provider's library, which the package does not bring, was added to it or in a folder apart. */
const isInstalled = (name: string) => addedLibrary(name) !== undefined;

function addedLibrary(name: string): string | undefined {
  const added = process.env[runtimeVariable];
  const apart = added && join(added, `libonnxruntime_providers_${name}.so`);
  if (apart !== undefined && existsSync(apart)) return apart;
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
  const folder = join(dirname(entry), 'bin');
  if (!existsSync(folder)) return undefined;
  const pattern = `*/${process.platform}/${process.arch}/*onnxruntime_providers_${name}.*`;
  const [beside] = globSync(pattern, { cwd: folder });
  return beside && join(folder, beside);
}

/**
 * Finds the library that a provider's own library needs and the system lacks; onnxruntime tells of it only in
 * its log. It loads the provider's library, so it is for a process that ends afterwards. It works on Linux
 * only.
 */
export function missingLibrary(provider: Provider): string | undefined {
  const library = process.platform === 'linux' ? addedLibrary(provider) : undefined;
  if (library === undefined) return undefined;
  try {
    process.dlopen({ exports: {} }, library);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return /(\S+): cannot open shared object file/.exec(said)?.[1];
  }
  return undefined;
}

/**
 * Gives the form in which onnxruntime is asked for a provider. It takes the first card by itself, and WebGPU
 * takes the card that the system chooses.
 */
export const providerOn = (provider: Provider, card: number) =>
  card > 0 && (provider === 'cuda' || provider === 'dml')
    ? { name: provider, deviceId: card }
    : provider;
