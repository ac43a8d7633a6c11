/**
 * Provides the Node that a package ships for its engine. It comes from the archive of Node's makers and is
 * checked against the SHA-256 that they publish beside it. Where the npm package of the same version is
 * installed for the wanted system, that binary is taken: it is the same one, and the lock file's hash has
 * checked it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shippedNode } from '../electron/launch/shipped-node.mjs';
import { leaveLanguagesOut } from './node-languages.ts';

const published = 'https://nodejs.org/dist';

interface Wanted {
  /** Without a v, such as 24.21.0. */
  version: string;
  platform: NodeJS.Platform;
  /** x64 or arm64. */
  arch: string;
}

/** Returns the name of the publisher's archive in the version's folder, and the paths inside it. */
export function archiveOf({ version, platform, arch }: Wanted) {
  const system = platform === 'win32' ? 'win' : platform;
  const folder = `node-v${version}-${system}-${arch}`;
  if (platform === 'win32')
    return { name: `${folder}.zip`, program: `${folder}/node.exe`, licence: `${folder}/LICENSE` };
  return { name: `${folder}.tar.gz`, program: `${folder}/bin/node`, licence: `${folder}/LICENSE` };
}

/**
 * Returns a file's hash from the text of SHASUMS256.txt.
 * @throws {Error} a sentence, if the file is missing there
 */
export function publishedHash(sums: string, name: string): string {
  const line = sums.split('\n').find((one) => one.trim().endsWith(`  ${name}`));
  const hash = line?.slice(0, 64);
  if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash))
    throw new Error(`Expected SHASUMS256.txt to name ${name}, and it does not.`);
  return hash;
}

/** @throws {Error} a sentence, if the bytes do not have the published hash */
export function assertPublished(bytes: Uint8Array, hash: string, name: string): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== hash)
    throw new Error(`Expected ${name} to have the published SHA-256 ${hash} but found ${found}.`);
}

/** Puts the program and Node's licence into a folder, which it empties first. */
export async function provideNode(
  root: string,
  wanted: Wanted,
  { folder, onlyOfficial }: { folder: string; onlyOfficial: boolean },
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const installed = onlyOfficial ? undefined : shippedNode(root, wanted.platform, wanted.arch);
  if (installed === undefined) await fetchOfficial(wanted, folder);
  else await copyInstalled(installed, folder);
  if (wanted.platform === 'linux') await makeSmaller(path.join(folder, 'node'));
}

/** On macOS and Windows the program is its makers' own, which they have signed. */
async function makeSmaller(program: string): Promise<void> {
  stripSymbols(program);
  await writeFile(program, leaveLanguagesOut(await readFile(program)));
}

async function copyInstalled(program: string, folder: string): Promise<void> {
  await copyFile(program, path.join(folder, path.basename(program)));
  await copyFile(path.resolve(program, '../../LICENSE'), path.join(folder, 'LICENSE'));
}

async function fetchOfficial(wanted: Wanted, folder: string): Promise<void> {
  const { name, program, licence } = archiveOf(wanted);
  const at = `${published}/v${wanted.version}`;
  const sums = new TextDecoder().decode(await download(`${at}/SHASUMS256.txt`));
  const bytes = await download(`${at}/${name}`);
  assertPublished(bytes, publishedHash(sums, name), name);
  const scratch = await mkdtemp(path.join(tmpdir(), 'enlarger-node-'));
  try {
    await writeFile(path.join(scratch, name), bytes);
    // Windows' own tar reads zip archives too.
    run('tar', ['-xf', name, program, licence], scratch);
    for (const file of [program, licence])
      await copyFile(path.join(scratch, file), path.join(folder, path.basename(file)));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function download(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return new Uint8Array(await answer.arrayBuffer());
}

/**
 * Strips the symbols for a debugger, which are 17 of the 121 MiB of Node for Linux. On Windows they lie in a
 * file of their own anyway, and on macOS they go when the program is signed.
 */
function stripSymbols(program: string): void {
  const { error } = spawnSync('strip', ['--strip-all', program], { stdio: 'inherit' });
  if (error !== undefined)
    console.error('strip (binutils) is not here: the package is 17 MiB larger than it could be.');
  if (!existsSync(program)) throw new Error(`strip left nothing of ${program}.`);
}

function run(command: string, args: string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error !== undefined || status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed.`, { cause: error });
}
