/**
 * `package`: the unpacked application of this system in dist/. Where Electron's binary cannot be had, a
 * folder that stands in for it is packed around, so that all else can be looked at and tried.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { electronBinary } from './start.mjs';

/** @param {string} root */
export async function packageApplication(root) {
  if (electronBinary(root) !== undefined) return pack(root, {});
  if (process.platform !== 'linux')
    throw new Error("Electron's binary is not here: npx install-electron fetches it.");
  console.error("Electron's binary is not here: the package gets an empty file in its place.");
  const standIn = await mkdtemp(path.join(tmpdir(), 'enlarger-electron-'));
  try {
    await writeStandIn(root, standIn);
    // A fuse is a place in the binary.
    await pack(root, { electronDist: standIn, electronFuses: null });
  } finally {
    await rm(standIn, { recursive: true, force: true });
  }
}

/** @param {string} root @param {object} changes of electron-builder.yml */
async function pack(root, changes) {
  const { build } = createRequire(import.meta.url)('electron-builder');
  const config = { extends: path.join(root, 'electron-builder.yml'), ...changes };
  await build({ projectDir: root, dir: true, publish: 'never', config });
}

/** @param {string} root @param {string} folder */
async function writeStandIn(root, folder) {
  const description = path.join(root, 'node_modules/electron/package.json');
  const { version } = JSON.parse(await readFile(description, 'utf8'));
  await writeFile(path.join(folder, 'electron'), '', { mode: 0o755 });
  await writeFile(path.join(folder, 'version'), version);
  await mkdir(path.join(folder, 'locales'));
  await writeFile(path.join(folder, 'locales/en-US.pak'), '');
}
