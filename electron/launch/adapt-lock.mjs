/**
 * Takes out of package-lock.json what npm writes into it and this checkout does not want. `npm install` runs it;
 * with `--ignore-scripts` run it by hand. Runs on the machine's own Node.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Changes the lock in place.
 * @param {import('./adapt-lock.d.mts').Lock} lock
 */
export function adaptLock({ packages }) {
  for (const [key, entry] of Object.entries(packages)) {
    // npm would warn of each on a Node that only installs: the programs run on the one of packages/runtime. For
    // the same reason it would leave out optional packages.
    if (key.includes('node_modules/')) delete entry.engines;
    // npm 10 runs the scripts of marked packages. This one fetches CUDA's provider, and fails the installation
    // where it cannot.
    if (key === 'node_modules/onnxruntime-node') delete entry.hasInstallScript;
    // Without it npm 10 compiles what the package carries, and fails where no compiler is.
    if (key === 'node_modules/better-sqlite3') entry.gypfile = false;
  }
}

/** @param {string} file writes only what differs */
function adaptFile(file) {
  const text = readFileSync(file, 'utf8');
  const lock = JSON.parse(text);
  adaptLock(lock);
  const adapted = `${JSON.stringify(lock, undefined, 2)}\n`;
  if (adapted !== text) writeFileSync(file, adapted);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  adaptFile(path.resolve(import.meta.dirname, '../../package-lock.json'));
