/**
 * Links the shipped Node so that npm's scripts run on it, whatever Node the machine has. npm 11 makes that
 * link itself. npm 10 removes its link again with the packages of other systems, which bring a command of
 * that name.
 */
import { chmod, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shippedNode } from './shipped-node.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const node = shippedNode(root);
if (node !== undefined) await linkNode(path.join(root, 'node_modules/.bin'), node);

/** @param {string} folder @param {string} target */
async function linkNode(folder, target) {
  await mkdir(folder, { recursive: true });
  const relative = path.relative(folder, target);
  if (process.platform === 'win32') {
    await writeIfMissing(path.join(folder, 'node.cmd'), `@"%~dp0${relative}" %*\r\n`);
    return;
  }
  await chmod(target, 0o755);
  const link = path.join(folder, 'node');
  if (!(await isThere(link))) await symlink(relative, link);
}

/** @param {string} file @param {string} text */
async function writeIfMissing(file, text) {
  if (!(await isThere(file))) await writeFile(file, text);
}

/** @param {string} file */
async function isThere(file) {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}
