/** Which execution providers this platform's onnxruntime brings, in the order in which they are tried. */
import { listSupportedBackends } from 'onnxruntime-node';
import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { providers, type Provider } from '../../contract/devices.ts';
import { runtimeVariable } from '../hosting/added-runtime.ts';
import { assertSilent } from '../hosting/engine-environment.ts';

/** CUDA before DirectML before CoreML before WebGPU; the CPU is last and always there. */
export function providersHere(): Provider[] {
  assertSilent();
  const present = listSupportedBackends()
    .filter((backend) => backend.bundled || isInstalled(backend.name))
    .map((backend) => backend.name);
  return providers.filter((provider) => provider === 'cpu' || present.includes(provider));
}

/** Whether the library of a provider that does not come with the package was added, to it or in a folder apart. */
function isInstalled(name: string): boolean {
  const added = process.env[runtimeVariable];
  if (added !== undefined && existsSync(join(added, `libonnxruntime_providers_${name}.so`)))
    return true;
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
  const folder = join(dirname(entry), 'bin');
  const pattern = `*/${process.platform}/${process.arch}/*onnxruntime_providers_${name}.*`;
  return existsSync(folder) && globSync(pattern, { cwd: folder }).length > 0;
}

/** How onnxruntime is asked for a provider; the first card is its own choice. WebGPU takes the system's. */
export const providerOn = (provider: Provider, card: number) =>
  card > 0 && (provider === 'cuda' || provider === 'dml')
    ? { name: provider, deviceId: card }
    : provider;
