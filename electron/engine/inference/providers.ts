/** Which execution providers this platform's onnxruntime brings, in the order in which they are tried. */
import { listSupportedBackends } from 'onnxruntime-node';
import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Precision } from '../../contract/model.ts';
import { providers, type Provider } from '../../contract/devices.ts';
import { assertSilent } from '../hosting/engine-environment.ts';
import type { AnyNetworkFile } from '../protocol.ts';

/** CUDA before DirectML before CoreML before WebGPU; the CPU is last and always there. */
export function providersHere(): Provider[] {
  assertSilent();
  const present = listSupportedBackends()
    .filter((backend) => backend.bundled || isInstalled(backend.name))
    .map((backend) => backend.name);
  return providers.filter((provider) => provider === 'cpu' || present.includes(provider));
}

/** Whether the library of a provider that does not come with the package was added to it. */
function isInstalled(name: string): boolean {
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
  const folder = join(dirname(entry), 'bin');
  const pattern = `*/${process.platform}/${process.arch}/*onnxruntime_providers_${name}.*`;
  return existsSync(folder) && globSync(pattern, { cwd: folder }).length > 0;
}

/** A device other than the CPU runs half precision where the network has it, else single. */
export function precisionOn(provider: Provider, network: AnyNetworkFile): Precision {
  const half = network.variants.some((variant) => variant.precision === 'fp16');
  return provider !== 'cpu' && half ? 'fp16' : 'fp32';
}
