/** The Node that `npm ci` installs (packages/runtime/package.json), independent of the machine's own. */
import { existsSync } from 'node:fs';
import path from 'node:path';

const systems = { linux: 'linux', win32: 'win' };

/**
 * Undefined if there is none for this system or it is not installed; the machine's own Node is used then.
 * @param {string} root
 */
export function shippedNode(root, platform = process.platform, arch = process.arch) {
  const system = systems[platform];
  if (system === undefined) return undefined;
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const file = path.join(root, `node_modules/node-${system}-${arch}/bin`, name);
  return existsSync(file) ? file : undefined;
}
