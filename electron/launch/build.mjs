/** Builds the programs if they are missing or older than their sources. */
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { withLock } from './lock.mjs';
import { newestMs } from './newest.mjs';

const sources = ['electron', 'renderer', 'electron.vite.config.ts', 'package.json'];
/** The modification time of this file is the time at which the last complete build began. */
const stampFile = 'out/built';
const buildTool = 'node_modules/electron-vite/bin/electron-vite.js';

/**
 * Returns whether a build is needed. Only a checkout is ever stale, because an installed package has no build
 * configuration. A removed file counts, too, by the modification time of its folder.
 * @param {string} root
 */
function isStale(root) {
  if (!existsSync(path.join(root, 'electron.vite.config.ts'))) return false;
  const stamp = statSync(path.join(root, stampFile), { throwIfNoEntry: false });
  if (stamp === undefined) return true;
  return [...sources, ...packageSources(root)].some(
    (name) => newestMs(path.join(root, name)) > stamp.mtimeMs,
  );
}

/**
 * Of a package only what is built from: `npm pack` in one writes an archive and `dist` beside it.
 * @param {string} root
 */
export function packageSources(root) {
  const folder = path.join(root, 'packages');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => [
    `packages/${name}/package.json`,
    `packages/${name}/src`,
  ]);
}

/**
 * Builds what is missing or older than its sources. Of programs that start together one builds, and the
 * others wait for it.
 * @param {string} root
 */
export async function buildWhereStale(root) {
  if (isStale(root)) await alone(root, () => isStale(root) && buildNow(root));
}

/** @param {string} root */
export async function build(root) {
  await alone(root, () => buildNow(root));
}

/**
 * Runs `work` while no other process builds in this checkout.
 * @param {string} root @param {() => unknown} work
 */
async function alone(root, work) {
  if (!existsSync(path.join(root, buildTool)))
    throw new Error('Enlarger is not built yet and its build tools are not installed: run npm ci.');
  assertWritable(path.join(root, 'node_modules'));
  await withLock(root, '.enlarger-build', work, () =>
    console.error('Another start of Enlarger is building it; waiting ...'),
  );
}

/** @param {string} folder */
function assertWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new Error(
      `Enlarger is not built yet and ${folder} cannot be written: run npm run build as its owner.`,
      { cause },
    );
  }
}

/**
 * Builds beside `out` and then replaces it as a whole, so that a failed build leaves the last one, and a
 * program that starts meanwhile never sees half of a build.
 * @param {string} root
 */
async function buildNow(root) {
  const startedAt = new Date();
  const fresh = path.join(root, `node_modules/.enlarger-${process.pid}`);
  const out = path.join(root, 'out');
  try {
    await runTool(root, path.join(root, buildTool), fresh);
    await putInPlace(fresh, out);
    await writeManual(out);
    await writeStamp(path.join(root, stampFile), startedAt);
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
 * Puts a build in the place of the last one.
 * @param {string} fresh @param {string} target
 */
async function putInPlace(fresh, target) {
  const old = `${fresh}-old`;
  await rename(target, old).catch(ignoreAbsence);
  await rename(fresh, target);
  await rm(old, { recursive: true, force: true });
}

/** @param {unknown} error */
function ignoreAbsence(error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
