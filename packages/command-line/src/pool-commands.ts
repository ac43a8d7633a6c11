/** `enlarger join` and `enlarger pool` let machines share batches, and show which of them do. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import type { SettingsPatch } from '../../contract/src/settings/settings.ts';
import type { HelperView, PoolView } from '../../contract/src/settings/pool.ts';
import type { Client } from '../../api-client/src/client.ts';
import { keepEvents, pause, type EventHandlers } from '../../api-client/src/events.ts';
import { padEnd, widestOf } from './columns.ts';
import type { Ask, CommandConnection } from './connect.ts';
import { fileReason } from './error-message.ts';
import { readText } from './local-files.ts';
import { passwordVariable, warnOfSecret, withPassword } from './pool-password.ts';
import { serviceOptions, type ServiceFlags } from './option-words.ts';
import { printable } from './printable.ts';
import { t, tn } from './text.ts';

interface PlaceOptions extends ServiceFlags {
  storage: string;
  keyFile?: string;
  passwordFile?: string;
}

/** The command `pool` takes the service's options itself, and so also gets those behind `use` and `leave`. */
export function addPoolCommands(program: Command, ask: Ask): void {
  placeOptions(
    program.command('join').description('let this machine help the others of a pool'),
  ).action((address: string, options: PlaceOptions) =>
    ask(options, (connected, signal) => join(connected, address, options, signal), {
      isShared: true,
    }),
  );
  const pool = serviceOptions(
    program.command('pool').description('say who helps, and how fast all are together'),
  )
    .option('--json', 'as JSON', false)
    .action((options: ServiceFlags & { json: boolean }) =>
      ask(options, ({ client }) => showPool(client, options.json), { isShared: true }),
    );
  placeOptions(
    pool.command('use').description("let a pool's helpers run this machine's tasks"),
  ).action((address: string, _own: PlaceOptions, command: Command) => {
    const options = command.optsWithGlobals<PlaceOptions>();
    return ask(options, ({ client }) => use(client, address, options), { isShared: true });
  });
  serviceOptions(pool.command('leave').description('use and help no pool any more')).action(
    (_own: ServiceFlags, command: Command) =>
      ask(command.optsWithGlobals<ServiceFlags>(), ({ client }) => leave(client)),
  );
  pool
    .command('key')
    .description('make a file with a new key; all machines of a pool need the same one')
    .argument('<file>')
    .action((file: string) => makeKey(file));
}

const placeOptions = (command: Command) =>
  serviceOptions(
    command
      .argument('<address>', 'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379')
      .requiredOption(
        '--storage <place>',
        'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000',
      )
      .option('--password-file <file>', `the queue's password (default: ${passwordVariable})`)
      .option('--key-file <file>', 'encrypts pictures on their way; `enlarger pool key` makes one'),
  );

/** Lets this machine help. With a service of its own the command stays until `signal` fires. */
async function join(
  { client, isOwn }: CommandConnection,
  address: string,
  options: PlaceOptions,
  signal: AbortSignal,
): Promise<number> {
  await change(client, { ...(await placeOf(address, options)), help: true });
  const view = await untilEntered(client);
  if (view.state !== 'connected') throw new Error(view.reason ?? t('The pool does not answer.'));
  console.log(t('This machine helps. Its own tasks go first.'));
  if (!isOwn) return 0;
  console.error(t('It helps until you end this command with Ctrl+C.'));
  if (!signal.aborted) await once(signal, 'abort');
  return 0;
}

async function use(client: Client, address: string, options: PlaceOptions): Promise<number> {
  await change(client, { ...(await placeOf(address, options)), submit: true });
  const view = await untilEntered(client);
  if (view.state !== 'connected') {
    const reason = view.reason ?? t('The pool does not answer.');
    console.error(`${reason} ${t('Until the pool answers, tasks run here.')}`);
    return 1;
  }
  printPool(await untilHeard(client));
  return 0;
}

async function leave(client: Client): Promise<number> {
  await change(client, { address: '', help: false });
  console.log(t('This machine is in no pool.'));
  return 0;
}

async function showPool(client: Client, json: boolean): Promise<number> {
  const view = await untilHeard(client);
  if (json) console.log(JSON.stringify(view));
  else printPool(view);
  return 0;
}

function printPool({ state, reason, helpers, speedup }: PoolView): void {
  const said = {
    off: t('There is no pool.'),
    connecting: t('Connecting.'),
    connected: t('Connected.'),
  };
  console.log(state === 'unreachable' ? (reason ?? t('The pool does not answer.')) : said[state]);
  if (state === 'connected' && helpers.length === 0) console.log(t('Nobody helps yet.'));
  const nameWidth = widestOf(helpers.map(nameOf));
  for (const helper of helpers) console.log(helperLine(helper, nameWidth));
  if (speedup > 1)
    console.log(
      t('Together {times} times as fast as this machine.', { times: speedup.toFixed(1) }),
    );
}

const nameOf = ({ name, isThis }: HelperView) => (isThis ? `${name} (${t('this machine')})` : name);

const stateWords = () => ({
  idle: t('idle'),
  working: t('working'),
  busy: t('busy'),
  away: t('away'),
  aside: t('left out'),
});

export function helperLine(helper: HelperView, nameWidth: number): string {
  const { state, reason, doing, speeds, finished } = helper;
  const words = stateWords();
  const fastest = Math.max(0, ...speeds.map((speed) => speed.megapixelsPerSecond ?? 0));
  const parts = [
    padEnd(nameOf(helper), nameWidth),
    padEnd(words[state], widestOf(Object.values(words))),
    tn(finished, '{count} done', '{count} done'),
    fastest > 0 ? t('{number} megapixels/s', { number: fastest.toFixed(2) }) : '',
    doing.map(({ model, progress }) => `${model} ${progress} %`).join(', '),
    reason ?? '',
  ];
  return printable(parts.filter((part) => part !== '').join('  '));
}

const change = (client: Client, pool: SettingsPatch['pool'] & object) =>
  client.changeSettings({ pool });

async function placeOf(given: string, { storage, keyFile, passwordFile }: PlaceOptions) {
  const warn = (line: string) => console.error(line);
  const address = await withPassword(given, { passwordFile, env: process.env, warn });
  warnOfSecret(storage, warn);
  const key = keyFile === undefined ? '' : (await readText(keyFile)).trim();
  return { address, storage: storage.startsWith('s3://') ? storage : path.resolve(storage), key };
}

/** Writes a new key into a file that only its user can read. */
async function makeKey(file: string): Promise<void> {
  const key = `${randomBytes(32).toString('base64url')}\n`;
  await writeFile(file, key, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw new Error(t('{file} cannot be written: {reason}', { file, reason: fileReason(error) }), {
      cause: error,
    });
  });
  console.log(
    t('{file}: bring it to every machine of the pool, and name it there with --key-file.', {
      file,
    }),
  );
}

/** Helpers are never silent for this long. */
const hearWithinMs = 4000;

/** Waits until a helper is heard of or none can be: a service that has just started knows nobody yet. */
function untilHeard(client: Client): Promise<PoolView> {
  const mayCome = ({ state }: PoolView) => state === 'connecting' || state === 'connected';
  return poolWhen(client, (view) => view.helpers.length > 0 || !mayCome(view), hearWithinMs);
}

const enterWithinMs = 10_000;

const untilEntered = (client: Client): Promise<PoolView> =>
  poolWhen(client, ({ state }) => state === 'connected', enterWithinMs);

const retryMs = 300;

/**
 * Looks at the pool, and looks again whenever the service tells that it changed, until the view `isEnough` or
 * the time is over. It answers the latest view, and asks again and again only while there is no event stream.
 */
async function poolWhen(
  client: Client,
  isEnough: (view: PoolView) => boolean,
  withinMs: number,
): Promise<PoolView> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, withinMs);
  // A failure ends the wait, and is thrown by the last look.
  const look = () =>
    client.pool().then((view) => {
      if (isEnough(view)) end();
    }, end);
  const handlers: EventHandlers = {
    onConnected: (isConnected) => void (isConnected && look()),
    onSet: (names) => void (names.includes('helpers') && look()),
    async onLost() {
      await look();
      await pause(retryMs, ending.signal);
    },
  };
  await keepEvents(() => client, handlers, ending.signal);
  clearTimeout(timer);
  return client.pool();
}
