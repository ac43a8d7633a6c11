/** Programs behind a seal: what they ask of any network, and what they leave in a home that was empty. */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { startProgram } from '../program.ts';
import type { SealReport } from './seal.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const canSeal =
  process.platform === 'linux' &&
  spawnSync('unshare', [
    '-rnm',
    '--pid',
    '--fork',
    '--mount-proc',
    'sh',
    '-c',
    'ip link add out type veth peer name nowhere && mount --bind /etc/hosts /etc/resolv.conf',
  ]).status === 0;

export const needsSeal =
  'needs Linux with unshare, ip and leave to make network namespaces; skipped without them';

export interface Sealed extends SealReport {
  stdout: string;
  stderr: string;
  /** Every file under the home and the temporary folder, relative to them. */
  left: string[];
  home: string;
}

/** The environment is nothing but a path, a home and a temporary folder: no CI, which libraries look at. */
export async function runSealed(args: string[]): Promise<Sealed> {
  const folder = temporaryFolder();
  const [home, temporary] = [path.join(folder, 'home'), path.join(folder, 'tmp')];
  await mkdir(home);
  await mkdir(temporary);
  const report = path.join(folder, 'report.json');
  const seal = path.join(import.meta.dirname, 'seal.ts');
  const running = startProgram(
    'unshare',
    [
      '-rnm',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      process.execPath,
      seal,
      report,
      process.execPath,
      ...args,
    ],
    { PATH: process.env.PATH, HOME: home, TMPDIR: temporary },
  );
  const { stdout, stderr } = await running.ended;
  const said = JSON.parse(await readFile(report, 'utf8')) as SealReport;
  return {
    ...said,
    stdout,
    stderr,
    home,
    left: [...(await filesIn(home)), ...(await filesIn(temporary))],
  };
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(path.relative(folder, entry.parentPath), entry.name));
}
