/** Which execution providers this platform's onnxruntime brings, in the order in which they are tried. */
import { listSupportedBackends } from 'onnxruntime-node';
import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { providers, type Provider } from '../../../contract/devices.ts';
import { runtimeVariable, assertSilent } from '../../hosting/engine-environment.ts';

/** CUDA before DirectML before CoreML before WebGPU; the CPU is last and always there. */
export function providersHere(): Provider[] {
  assertSilent();
  const present = listSupportedBackends()
    .filter((backend) => backend.bundled || isInstalled(backend.name))
    .map((backend) => backend.name);
  return providers.filter((provider) => provider === 'cpu' || present.includes(provider));
}

/** Whether the library of a provider that does not come with the package was added, to it or in a folder apart. */
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
 * The library that a provider's own one asks the system for in vain; onnxruntime says of that only to its log. Loads
 * what it looks at: for a process that ends afterwards.
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

/** How onnxruntime is asked for a provider; the first card is its own choice. WebGPU takes the system's. */
export const providerOn = (provider: Provider, card: number) =>
  card > 0 && (provider === 'cuda' || provider === 'dml')
    ? { name: provider, deviceId: card }
    : provider;
