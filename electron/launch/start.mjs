/** Opens the application's window, or starts the service alone where no window can be had. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { provideElectron } from './electron-binary.mjs';
import { ended, programFile, runWith } from './run.mjs';

const usage = `npm start -- [photo or folder...]

Opens Enlarger's window with these photos. The first start fetches Electron, which shows the window (about
110 MB). Where no window can be had it starts the service alone, which takes the options of \`npm run serve\`
(\`npm run serve -- --help\` lists them), and prints the address of its page.

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
  const electron = await findElectron(root, args);
  if (electron !== undefined) return runWith(electron, [root, ...args], environment());
  await startService(root, args);
}

/** Returns undefined after one sentence on standard error, if no window can be had. */
async function findElectron(root, args) {
  const { env, platform } = process;
  const obstacle = obstacleToWindow({ args, env, platform, uid: process.getuid?.() });
  if (obstacle !== undefined) {
    console.error(`${obstacle} Enlarger starts without its window.`);
    return undefined;
  }
  try {
    return await provideElectron(root);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(`${error.message} Enlarger starts without its window.`);
    return undefined;
  }
}

/**
 * Returns a sentence if this user or session cannot open a window, so that nothing is fetched for it.
 * @param {import('./start.d.mts').Start} start
 */
export function obstacleToWindow({ args, env, platform, uid }) {
  if (platform !== 'linux') return undefined;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY)
    return 'There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.';
  if (uid === 0 && !args.includes('--no-sandbox'))
    return 'Electron opens no window for root, unless --no-sandbox is given.';
  return undefined;
}

/**
 * Returns the environment for Electron. ELECTRON_RUN_AS_NODE, which some terminals inside editors set, would
 * make Electron a plain Node, so it is left out. ENLARGER_NODE lets the engine run on this process's Node.
 */
function environment() {
  const { ELECTRON_RUN_AS_NODE: _dropped, ...env } = process.env;
  return { ...env, ENLARGER_NODE: process.execPath };
}

/** What only a window has. */
const windowOptions = ['--hidden', '--no-sandbox'];
const valued = ['--port', '--compat-port', '--data-dir', '--allow-folder', '--photo'];

/**
 * Returns the arguments for the service alone: photos go to the queue of its page.
 * @param {readonly string[]} args
 */
export function serviceArguments(args) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const mapped = args
    .slice(0, end)
    .filter((word) => !windowOptions.includes(word))
    .flatMap((word, index, words) => {
      const isPhoto = !word.startsWith('-') && !valued.includes(words[index - 1] ?? '');
      return isPhoto ? photoArguments(word) : [word];
    });
  return [...mapped, ...args.slice(end + 1).flatMap(photoArguments)];
}

/** A path that begins with a dash needs the form with an equals sign. @param {string} word */
function photoArguments(word) {
  return [`--photo=${word.startsWith('file:') ? fileURLToPath(word) : word}`];
}

/** @param {string} root @param {string[]} args */
async function startService(root, args) {
  const child = spawn(
    process.execPath,
    [programFile(root, 'headless'), ...serviceArguments(args)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  createInterface({ input: child.stdout }).once('line', (line) => {
    const { url, pageUrl } = JSON.parse(line);
    console.log(`Enlarger runs at ${url}. Its page, for one visit: ${pageUrl}`);
    console.log('Ctrl-C ends it.');
  });
  process.exitCode = await ended(child);
}
