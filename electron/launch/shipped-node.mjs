/** Finds the Node that `npm ci` brings (packages/runtime/package.json), whatever Node the machine has. */
import { existsSync } from 'node:fs';
import path from 'node:path';

const systems = { linux: 'linux', win32: 'win' };

/**
 * Answers the program's path. It is undefined where there is none for this system, or where it was not
 * installed: then the machine's own Node is used.
 * @param {string} root
 */
export function shippedNode(root, platform = process.platform, arch = process.arch) {
  const system = systems[platform];
  if (system === undefined) return undefined;
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const file = path.join(root, `node_modules/node-${system}-${arch}/bin`, name);
  return existsSync(file) ? file : undefined;
}
