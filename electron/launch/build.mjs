/** Tells whether the built programs are older than their sources, and builds them. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const sources = ['electron', 'renderer', 'electron.vite.config.ts', 'package.json'];
/** The modification time of this file is the time at which the last complete build began. */
const stampFile = 'out/built';

/**
 * Tells whether a build is needed. Only a checkout is ever stale, because an installed package has no build
 * configuration. A removed file counts, too, by the modification time of its folder.
 * @param {string} root
 */
export function isStale(root) {
  if (!existsSync(path.join(root, 'electron.vite.config.ts'))) return false;
  const stamp = statSync(path.join(root, stampFile), { throwIfNoEntry: false });
  if (stamp === undefined) return true;
  return sources.some((name) => newestMs(path.join(root, name)) > stamp.mtimeMs);
}

/** @param {string} file @returns {number} */
function newestMs(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const inside = readdirSync(file).map((name) => newestMs(path.join(file, name)));
  return Math.max(stat.mtimeMs, ...inside);
}

/**
 * Builds beside `out` and then replaces it as a whole, so that a failed build leaves the last one, and a
 * program that starts meanwhile never sees half of a build.
 * @param {string} root
 */
export async function build(root) {
  const tool = path.join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  if (!existsSync(tool))
    throw new Error('Enlarger is not built yet and its build tools are not installed: run npm ci.');
  const startedAt = new Date();
  const fresh = path.join(root, `node_modules/.enlarger-${process.pid}`);
  try {
    await runTool(root, tool, fresh);
    await writeStamp(path.join(fresh, path.basename(stampFile)), startedAt);
    await putInPlace(fresh, path.join(root, 'out'));
    await writeManual(path.join(root, 'out'));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** @param {string} root @param {string} tool @param {string} outDir @returns {Promise<void>} */
function runTool(root, tool, outDir) {
  const args = [tool, 'build', '--logLevel', 'warn', '--outDir', outDir];
  console.error('Building Enlarger ...');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error('Enlarger could not be built; the lines above say why.'));
    });
  });
}

/**
 * Writes the manual page and the shells' completion scripts, which packages install.
 * @param {string} out
 */
async function writeManual(out) {
  const print = promisify(execFile);
  const folder = path.join(out, 'manual');
  await mkdir(folder, { recursive: true });
  for (const [name, words] of manual) {
    const { stdout } = await print(process.execPath, [path.join(out, 'main/cli.js'), ...words]);
    await writeFile(path.join(folder, name), stdout);
  }
}

/** @type {[string, string[]][]} */
const manual = [
  ['enlarger.1', ['man']],
  ['enlarger.bash', ['completion', 'bash']],
  ['_enlarger', ['completion', 'zsh']],
  ['enlarger.fish', ['completion', 'fish']],
  ['enlarger.ps1', ['completion', 'powershell']],
];

/** @param {string} file @param {Date} startedAt */
async function writeStamp(file, startedAt) {
  await writeFile(file, startedAt.toISOString());
  await utimes(file, startedAt, startedAt);
}

/**
 * Puts a build in the place of the last one. Two builds may end together: then the loser tries again, and the
 * later one stays.
 * @param {string} fresh @param {string} target
 */
async function putInPlace(fresh, target) {
  for (let attempt = 1; ; attempt++) {
    const old = `${fresh}-old`;
    await rename(target, old).catch(ignoreAbsence);
    try {
      await rename(fresh, target);
      return;
    } catch (error) {
      if (attempt === 10) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}

/** @param {unknown} error */
function ignoreAbsence(error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
