/** The built application in the form that the test's Electron can run. */
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../support/program.ts';
import type { TestElectron } from './prepare-electron.ts';

const copiedModule = 'better-sqlite3';

/**
 * Returns the folder to start. It is the checkout, unless Electron is too old: then it is a copy in which
 * what that Electron lacks is bridged.
 * @param folder an empty one
 */
export async function stageApplication(electron: TestElectron, folder: string): Promise<string> {
  if (electron.preload === undefined) return root;
  for (const name of ['package.json', 'resources', 'models'])
    await symlink(path.join(root, name), path.join(folder, name));
  await cp(path.join(root, 'out'), path.join(folder, 'out'), { recursive: true });
  await bridgePrograms(path.join(folder, 'out/main'));
  await linkModules(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Node 20 has no zstd, which the page's files alone use, and Electron 33 no ClipboardItem. */
async function bridgePrograms(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.js'))) {
    const file = path.join(folder, name);
    const code = await readFile(file, 'utf8');
    const bridged = code
      .replace(
        /(import\s*\{[^}]*)\bcreateZstdDecompress\b([^}]*\}\s*from\s*"node:zlib")/,
        '$1createGunzip as createZstdDecompress$2',
      )
      .replace(/(import\s*\{[^}]*)\bClipboardItem,([^}]*\}\s*from\s*"electron")/, '$1$2');
    if (bridged !== code) await writeFile(file, bridged);
  }
}

async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from))
    if (name !== copiedModule && !name.startsWith('.'))
      await symlink(path.join(from, name), path.join(to, name));
  const copy = path.join(to, copiedModule);
  await cp(path.join(from, copiedModule), copy, {
    recursive: true,
    filter: (file) => !/[\\/](deps|src)$/.test(file),
  });
  const addon = path.join(copy, `prebuilds/${process.platform}-${process.arch}.node`);
  const lowered = lowerNodeApi(await readFile(addon));
  await rm(addon);
  await writeFile(addon, lowered);
}

/** The addon then asks for Node-API 9, and takes references from shims/napi10-on-node20.c. */
function lowerNodeApi(addon: Buffer): Buffer {
  // mov eax, 10; ret
  const version = addon.indexOf(Buffer.from('b80a000000c3', 'hex'));
  if (version === -1) throw new Error('The addon of better-sqlite3 does not ask for Node-API 10.');
  const lowered = Buffer.from(addon);
  lowered.writeUInt8(9, version + 1);
  for (const name of ['create_reference', 'get_reference_value', 'delete_reference'])
    for (
      let at = lowered.indexOf(`napi_${name}\0`);
      at !== -1;
      at = lowered.indexOf(`napi_${name}\0`)
    )
      lowered.write('x', at);
  return lowered;
}
