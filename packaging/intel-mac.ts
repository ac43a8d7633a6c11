/**
 * Provides ONNX Runtime on Macs with Intel processors, for which its makers publish none any more. The last
 * version for them (packaging/intel-mac/package-lock.json) replaces the usual one there, with the JavaScript
 * that belongs to it. `npm run dist` does so on such a Mac. In a checkout there, run `node
 * packaging/intel-mac.ts`.
 */
import { spawnSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const packages = ['onnxruntime-node', 'onnxruntime-common'];

export async function provideIntelRuntime(root: string): Promise<void> {
  const folder = path.join(root, 'packaging/intel-mac');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
  if (error !== undefined || status !== 0)
    throw new Error(`npm ci failed in ${folder}.`, { cause: error });
  await replacePackages(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
}

/** Replaces the packages in one folder of packages by those in another. Nothing of the old packages stays. */
export async function replacePackages(target: string, source: string): Promise<void> {
  for (const name of packages) {
    await rm(path.join(target, name), { recursive: true, force: true });
    await cp(path.join(source, name), path.join(target, name), { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await provideIntelRuntime(path.resolve(import.meta.dirname, '..'));
