#!/usr/bin/env node
/**
 * Starts Enlarger from a checkout or from the installed npm package: `start`, `serve`, `cli`,
 * `build`, `package` or `dist`; without one of these words everything goes to the command line client. Runs on the Node
 * that npm ci brought where the machine's own is not one of package.json's engines, and builds what is missing or older than its sources first. Standard
 * output belongs to the program that is started; what the build says goes to standard error.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build, buildWhereStale } from './launch/build.mjs';
import { isInRange } from './launch/node-range.mjs';
import { runHere, runWith } from './launch/run.mjs';
import { shippedNode } from './launch/shipped-node.mjs';
import { startApplication } from './launch/start.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const commands = ['start', 'serve', 'cli', 'build', 'package', 'dist'];

/** @param {string[]} args */
function readCommand(args) {
  const [first, ...rest] = args;
  if (first !== undefined && commands.includes(first)) return { command: first, rest };
  return { command: 'cli', rest: args };
}

/** npm runs scripts in the package's folder; paths on the command line are the caller's. */
function returnToCaller() {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  const isOurs = script === 'start' || script === 'serve' || script === 'enlarger';
  if (isOurs && folder !== undefined && existsSync(folder)) process.chdir(folder);
}

/** Only a checkout packs; an installed package has none of its tools. */
async function pack(command, rest) {
  const { distribute, packageApplication } = await import('../packaging/pack.ts');
  if (command === 'package') return packageApplication(root);
  if (command === 'dist') return distribute(root, rest);
}

async function launch() {
  const node = shippedNode(root);
  if (!isInRange(process.version, engines.node)) {
    if (node === undefined)
      throw new Error(`Enlarger needs Node ${engines.node} and found ${process.version}.`);
    return runWith(node, process.argv.slice(1));
  }
  const { command, rest } = readCommand(process.argv.slice(2));
  if (command === 'build') await build(root);
  else await buildWhereStale(root);
  returnToCaller();
  if (command === 'start') return startApplication(root, rest);
  if (command === 'serve') return runHere(root, 'headless', rest);
  if (command === 'cli') return runHere(root, 'cli', rest);
  if (command === 'package' || command === 'dist') return pack(command, rest);
}

try {
  await launch();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
