/** Execution providers that onnxruntime has on this machine. */
import { listSupportedBackends } from 'onnxruntime-node';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { providers, type Provider } from '../../../../packages/contract/src/models/devices.ts';
import { runtimeVariable, assertNoTelemetry } from '../../host/engine-environment.ts';

/** In the order of trying: CUDA, DirectML, CoreML, WebGPU, and the CPU, which is always available. */
export function providersHere(): Provider[] {
  assertNoTelemetry();
  const present = listSupportedBackends()
    .filter((backend) => backend.bundled || isInstalled(backend.name))
    .map((backend) => backend.name);
  return providers.filter((provider) => provider === 'cpu' || present.includes(provider));
}

/** Whether a provider's library, which is not in the package, was added to it or to the runtime folder. */
const isInstalled = (name: string) => addedLibrary(name) !== undefined;

function addedLibrary(name: string): string | undefined {
  const added = process.env[runtimeVariable];
  const separate = added && join(added, `libonnxruntime_providers_${name}.so`);
  if (separate !== undefined && existsSync(separate)) return separate;
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
  const folder = join(dirname(entry), 'bin');
  const part = `onnxruntime_providers_${name}.`;
  return namesIn(folder)
    .map((version) => join(folder, version, process.platform, process.arch))
    .flatMap((beside) => namesIn(beside).map((file) => join(beside, file)))
    .find((file) => file.includes(part));
}

/** By readdir: a pattern takes Node 20 ms, in which a small photo would wait. */
const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/**
 * Returns the library that a provider's own library needs and the system lacks; onnxruntime reports it only
 * in its log. Loads the provider's library, so the process should end afterwards. Linux only.
 */
export function missingLibrary(provider: Provider): string | undefined {
  const library = process.platform === 'linux' ? addedLibrary(provider) : undefined;
  if (library === undefined) return undefined;
  try {
    process.dlopen({ exports: {} }, library);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /(\S+): cannot open shared object file/.exec(message)?.[1];
  }
  return undefined;
}

/**
 * onnxruntime's form of a provider. The first card is its default, and WebGPU uses the card that the system
 * chooses.
 */
export const providerOn = (provider: Provider, card: number) =>
  card > 0 && (provider === 'cuda' || provider === 'dml')
    ? { name: provider, deviceId: card }
    : provider;
