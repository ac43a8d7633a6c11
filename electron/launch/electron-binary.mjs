/**
 * Electron's binary in a checkout. The npm package `electron` has no install script, so that `npm ci` uses the
 * package registry alone; its binary comes from GitHub when the window is opened for the first time.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { ended } from './run.mjs';

/** Time without a new byte, downloaded or unpacked, after which a download is given up. */
const defaultStallMs = 15_000;
const lastErrorBytes = 10_000;

/**
 * Returns the path of Electron's binary, or undefined if it is missing, unpacked in part, or of another
 * version. Reads files only, because importing the package would start a download.
 * @param {string} root @param {NodeJS.ProcessEnv} env ELECTRON_OVERRIDE_DIST_PATH names a folder to take instead
 */
export function electronBinary(root, env = process.env) {
  const { package: folder, dist, pathFile } = placesOf(root);
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return ifExists(path.join(override, readText(pathFile) ?? binaryName()));
  const name = readText(pathFile);
  const version = readText(path.join(dist, 'version'))?.trim().replace(/^v/, '');
  if (!name || !version || version !== packageVersion(folder)) return undefined;
  return ifExists(path.join(dist, name));
}

/**
 * Fetches Electron's binary if it is not there yet. Of programs that start together one fetches, and the
 * others wait for it. Mirrors, caches and proxies are those of @electron/get.
 * @param {string} root @param {{ env?: NodeJS.ProcessEnv, stallMs?: number }} [options]
 * @returns {Promise<string>} the path of the binary
 * @throws {Error} one sentence for the person, if it cannot be had
 */
export async function provideElectron(root, { env = process.env, stallMs = defaultStallMs } = {}) {
  const found = electronBinary(root, env);
  if (found !== undefined) return found;
  assertFetchable(root, env);
  await withLock(
    root,
    '.enlarger-fetch',
    async () => {
      if (electronBinary(root, env) === undefined) await fetchElectron(root, env, stallMs);
    },
    () => console.error('Another start of Enlarger is fetching Electron; waiting for it ...'),
  );
  const binary = electronBinary(root, env);
  if (binary === undefined)
    throw new Error('Electron was fetched, but its files are not complete.');
  return binary;
}

/** @throws {Error} one sentence, if a download would be in vain */
function assertFetchable(root, env) {
  const { package: folder } = placesOf(root);
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override)
    throw new Error(`ELECTRON_OVERRIDE_DIST_PATH names ${override}, which holds no Electron.`);
  if (!existsSync(path.join(folder, 'install.js')))
    throw new Error('Electron is not part of this installation.');
  if (env.ELECTRON_SKIP_BINARY_DOWNLOAD)
    throw new Error("Electron's binary is not here, and ELECTRON_SKIP_BINARY_DOWNLOAD is set.");
  for (const needed of [folder, path.join(root, 'node_modules')]) {
    try {
      accessSync(needed, constants.W_OK);
    } catch (cause) {
      throw new Error(
        `Electron's binary is not here, and ${needed} cannot be written to put it there.`,
        { cause },
      );
    }
  }
}

/** Runs the installer of the package `electron`, which downloads, checks and unpacks. */
async function fetchElectron(root, env, stallMs) {
  const { package: folder, dist, pathFile, temporary } = placesOf(root);
  // The installer writes path.txt last, and would not unpack again where an older one is.
  await rm(pathFile, { force: true });
  for (const stale of [dist, temporary]) await rm(stale, { recursive: true, force: true });
  await mkdir(temporary);
  console.error(
    `Fetching Electron, which shows the window (about 110 MB, once, from ${sourceName(env)}) ...`,
  );
  const child = spawn(process.execPath, [path.join(folder, 'install.js')], {
    env: installerEnvironment(env, temporary),
    stdio: ['ignore', 2, 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-lastErrorBytes)));
  const watch = watchProgress(child, [temporary, dist], stallMs);
  let code;
  try {
    code = await ended(child);
  } finally {
    watch.end();
    await rm(temporary, { recursive: true, force: true });
  }
  if (watch.isStalled())
    throw new Error(
      `Electron could not be fetched: nothing arrived for ${Math.round(stallMs / 1000)} seconds.`,
    );
  // Ended by a signal, and so is this program.
  if (code > 128) process.exit(code);
  if (code !== 0) throw new Error(`Electron could not be fetched: ${reasonIn(said)}.`);
}

/**
 * Ends the child when the folders do not grow any more, and shows how far they are on a terminal.
 * @param {import('node:child_process').ChildProcess} child @param {[string, string]} folders @param {number} stallMs
 */
function watchProgress(child, folders, stallMs) {
  let bytes = 0;
  let grownAt = performance.now();
  let isStalled = false;
  const look = () => {
    const now = sizeOf(folders[0]) + sizeOf(folders[1]);
    if (now !== bytes) grownAt = performance.now();
    bytes = now;
    if (process.stderr.isTTY && bytes > 0)
      process.stderr.write(`\r${Math.round(bytes / 1e6)} MB\x1b[K`);
    if (performance.now() - grownAt < stallMs) return;
    isStalled = true;
    child.kill('SIGKILL');
  };
  const timer = setInterval(look, Math.min(500, stallMs / 4));
  return {
    isStalled: () => isStalled,
    end() {
      clearInterval(timer);
      if (process.stderr.isTTY && bytes > 0) process.stderr.write('\r\x1b[K');
    },
  };
}

/** @param {string} folder @returns {number} bytes in the folder; files that vanish meanwhile count 0 */
function sizeOf(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
      .reduce((sum, stat) => sum + (stat?.isFile() === true ? stat.size : 0), 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

/**
 * The download goes to a folder of this checkout, whose growth is the progress. npm hands its own proxy
 * setting to scripts as npm_config_https_proxy.
 */
function installerEnvironment(env, temporary) {
  const proxy = env.HTTPS_PROXY || env.https_proxy || env.npm_config_https_proxy;
  return {
    ...env,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    ...(proxy && { HTTPS_PROXY: proxy, ELECTRON_GET_USE_PROXY: 'true' }),
  };
}

function sourceName(env) {
  const mirror = env.npm_config_electron_mirror || env.ELECTRON_MIRROR || '';
  return URL.canParse(mirror) ? new URL(mirror).host : 'GitHub';
}

/** @param {string} said what the installer printed, which ends with an error's stack */
function reasonIn(said) {
  const line = said.split('\n').findLast((text) => /^\w*Error\b.*: /.test(text));
  if (line === undefined || line.includes('fetch failed'))
    return 'its address could not be reached';
  return line.replace(/^\w*Error\b[^:]*: /, '').replace(/\.$/, '');
}

function placesOf(root) {
  const folder = path.join(root, 'node_modules/electron');
  return {
    package: folder,
    dist: path.join(folder, 'dist'),
    pathFile: path.join(folder, 'path.txt'),
    temporary: path.join(root, 'node_modules/.enlarger-fetching'),
  };
}

function packageVersion(folder) {
  const text = readText(path.join(folder, 'package.json'));
  return text === undefined ? undefined : JSON.parse(text).version;
}

/** @returns {string} of this system, as path.txt holds it */
function binaryName() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/** @param {string} file @returns {string | undefined} */
function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param {string} file @returns {string | undefined} */
function ifExists(file) {
  return existsSync(file) ? file : undefined;
}
