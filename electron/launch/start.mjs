/** Opens the application's window where Electron's binary is there, else starts the service alone. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ended, programFile, runWith } from './run.mjs';

const usage = `npm start -- [photo or folder...]

Opens Enlarger's window with these photos. Without Electron's binary it starts the service alone, which takes
the options of \`npm run serve\` (\`npm run serve -- --help\` lists them), and prints the address of its page.

  --data-dir=<folder>  where queue, results and keys lie
  --hidden             begin in the tray
  --help               this text
`;

/** @param {string} root @param {string[]} args */
export async function startApplication(root, args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return;
  }
  const electron = electronBinary(root);
  if (electron !== undefined) return runWith(electron, [root, ...args], environment());
  console.error(
    "Electron's binary is not here (npx install-electron fetches it), so Enlarger starts without its window.",
  );
  await startService(root, args);
}

/**
 * Answers the path of Electron's binary where it is there. It looks for the file only, because requiring the
 * package would start a download.
 * @param {string} root
 */
export function electronBinary(root) {
  const folder = path.join(root, 'node_modules/electron');
  const pathFile = path.join(folder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron';
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(folder, 'dist');
  const file = path.join(dist, name);
  return existsSync(file) ? file : undefined;
}

/**
 * Answers the environment for Electron. ELECTRON_RUN_AS_NODE, which some terminals inside editors set, would
 * make Electron a plain Node, so it is left out. ENLARGER_NODE lets the engine run on this process's Node.
 */
function environment() {
  const { ELECTRON_RUN_AS_NODE: _dropped, ...env } = process.env;
  return { ...env, ENLARGER_NODE: process.execPath };
}

/** @param {string} root @param {string[]} args */
async function startService(root, args) {
  const child = spawn(process.execPath, [programFile(root, 'headless'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).once('line', (line) => {
    const { url, pageUrl } = JSON.parse(line);
    console.log(`Enlarger runs at ${url}. Its page, for one visit: ${pageUrl}`);
    console.log('Ctrl-C ends it.');
  });
  process.exitCode = await ended(child);
}
