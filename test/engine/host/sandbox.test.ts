/** What code that took over a process with untrusted files could reach: a program in place of the engine tries. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative, sep } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEngineHost, type EngineHostOptions } from '../../../electron/engine/host/host.ts';
import { importNetwork } from '../../../electron/engine/host/import-host.ts';
import {
  describeEnd,
  hasGraphicsDevice,
  sandboxArguments,
  sandboxObstacle,
  spawnSandboxed,
} from '../../../electron/engine/host/sandbox.ts';
import { createTestEngine, jobIn } from '../../support/engine.ts';
import { asSharp, photo } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { patient } from '../../support/machine-pace.ts';
import { root } from '../../support/program.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Whether this system lets bubblewrap make its namespaces: many containers do not. */
function hasSandbox(): boolean {
  if (sandboxObstacle() !== undefined) return false;
  const folder = temporaryFolder();
  const programPath = join(folder, 'program.mjs');
  writeFileSync(programPath, '');
  const command = { nodePath: process.execPath, args: [programPath], programPath };
  const args = sandboxArguments(command, { readable: [], writable: [] }, 1);
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const printed = execFileSync('bwrap', [...args, '--', process.execPath, programPath], {
      encoding: 'utf8',
      stdio: [...stdio],
    });
    return printed.includes('"exit-code": 0');
  } catch {
    return false;
  }
}

/** Tries to reach what it should not, writes down what came of it, and serves as an engine does. */
const intruder = (dataDir: string, port: number) => `
  import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
  import { connect } from 'node:net';
  import { spawnSync } from 'node:child_process';
  const attempt = (act) => { try { return act() ?? 'done'; } catch (error) { return error.code; } };
  const socketTo = (options) => new Promise((resolve) =>
    connect(options).once('connect', () => resolve('done')).once('error', (error) => resolve(error.code))
      .setTimeout(2000, () => resolve('no answer')));
  const reach = {
    key: attempt(() => readFileSync(${JSON.stringify(join(dataDir, 'cli.key'))}, 'utf8')),
    database: attempt(() => readFileSync(${JSON.stringify(join(dataDir, 'enlarger.db'))}).length),
    beside: attempt(() => readFileSync(${JSON.stringify(join(dataDir, '../beside.txt'))}, 'utf8')),
    accounts: attempt(() => readFileSync('/etc/passwd', 'utf8')),
    home: attempt(() => readdirSync(process.env.HOME)),
    ownSource: attempt(() => readFileSync(${JSON.stringify(join(dataDir, 'sources/one'))}, 'utf8')),
    changedSource: attempt(() => writeFileSync(${JSON.stringify(join(dataDir, 'sources/one'))}, 'x')),
    program: attempt(() => writeFileSync(process.argv[1] + '.changed', 'x')),
    signal: attempt(() => process.kill(${process.pid}, 0)),
    processes: readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length,
    socket: await socketTo({ port: ${port}, host: '127.0.0.1' }),
    outside: await socketTo({ port: 9, host: '192.0.2.1' }),
    bus: await socketTo({ path: '/run/dbus/system_bus_socket' }),
    remounted: spawnSync('/bin/mount', ['-o', 'remount,rw', '/usr']).status,
  };
  const mode = process.argv[2] === 'inspect' ? 'inspect' : 'jobs';
  writeFileSync(${JSON.stringify(dataDir)} + '/results/' + mode + '.json', JSON.stringify(reach));
  const send = (message) => process.send(message);
  process.on('message', ({ request: { id } }) =>
    send({ kind: 'reply', reply: { id, response: { width: 1, devices: [] } } }));
  setInterval(send, 200, { kind: 'heartbeat' });
  send({ kind: 'ready' });
`;

/** A server of this machine, as the service is one. */
async function openPort(): Promise<number> {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const limits = { sourcePixels: 1e9, resultPixels: 1e9 };

/** Of the home folder nothing is there but the way to the program and its Node, where they were put into it. */
const waysHome = [root, process.execPath]
  .map((file) => relative(process.env['HOME'] ?? '/', file).split(sep)[0] ?? '')
  .filter((way, at, ways) => way !== '..' && ways.indexOf(way) === at)
  .toSorted();

const reached = {
  key: 'ENOENT',
  database: 'ENOENT',
  beside: 'ENOENT',
  accounts: 'ENOENT',
  home: waysHome.length > 0 ? waysHome : 'ENOENT',
  ownSource: 'mine',
  changedSource: 'EROFS',
  program: 'EROFS',
  signal: 'ESRCH',
  socket: 'ECONNREFUSED',
  outside: 'ENETUNREACH',
  bus: 'ENOENT',
};

/** @param isInProgram whether the data folder is inside the program's folder */
async function breakIn(given: Partial<EngineHostOptions> = {}, isInProgram = false) {
  const home = temporaryFolder();
  const dataDir = join(home, 'data');
  mkdirSync(join(dataDir, 'sources'), { recursive: true });
  writeFileSync(join(dataDir, 'sources/one'), 'mine');
  writeFileSync(join(home, 'beside.txt'), 'private');
  const programs = isInProgram ? home : temporaryFolder();
  const enginePath = join(programs, 'engine.mjs');
  writeFileSync(enginePath, intruder(dataDir, await openPort()));
  const hosts: ReturnType<typeof createEngineHost>[] = [];
  const service = await openService({
    dataDir,
    enginePath,
    nodePath: process.execPath,
    createEngine: (options) => {
      const host = createEngineHost({ ...options, ...given });
      hosts.push(host);
      return host;
    },
  });
  const found = async (mode: string) => {
    const file = join(dataDir, 'results', `${mode}.json`);
    await expect.poll(() => existsSync(file), { timeout: patient(20_000) }).toBe(true);
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  };
  return { host: hosts[0]!, service, found, dataDir };
}

afterEach(() => vi.unstubAllEnvs());

describe.runIf(hasSandbox())('where there is a sandbox', () => {
  it('lets a process that inspects pictures reach its own files only, and no network', async () => {
    const { host, found } = await breakIn();
    await host.inspect('any', limits);
    const { processes, remounted, ...rest } = await found('inspect');
    expect(rest).toEqual(reached);
    expect(processes).toBeLessThanOrEqual(3);
    expect(remounted).not.toBe(0);
  }, 120_000);

  it.skipIf(hasGraphicsDevice())(
    'lets the engine of the jobs reach no more',
    async () => {
      const { found } = await breakIn();
      const { processes, remounted, ...rest } = await found('jobs');
      expect(rest).toEqual(reached);
      expect(processes).toBeLessThanOrEqual(3);
      expect(remounted).not.toBe(0);
    },
    120_000,
  );

  it('hides the data folder where that is inside the folder of the program', async () => {
    const { host, found } = await breakIn({}, true);
    await host.inspect('any', limits);
    const { key, database, beside, ownSource } = await found('inspect');
    expect({ key, database, beside, ownSource }).toEqual({
      ...{ key: 'ENOENT', database: 'ENOENT', ownSource: 'mine' },
      beside: 'private',
    });
  }, 120_000);

  it('inspects and enlarges in it, and the host knows the id of the process inside', async () => {
    const folder = temporaryFolder();
    const [sources, work] = [join(folder, 'sources'), join(folder, 'work')];
    for (const path of [sources, work, join(work, 'cache')]) mkdirSync(path);
    const passes = [nearestNetwork(sources)];
    const sourcePath = join(sources, 'photo.png');
    writeFileSync(sourcePath, await asSharp(photo(60, 40)).png().toBuffer());
    const paths = { readable: [sources], writable: [work] };
    const engine = createTestEngine({
      cacheDir: join(work, 'cache'),
      sandbox: { inspectors: paths, jobs: paths },
    });
    onTestFinished(() => engine.close());
    expect(await engine.host.inspect(sourcePath, limits)).toMatchObject({ width: 60 });
    const job = jobIn(work, { sourcePath, passes });
    const report = await engine.host.run(job, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(report.output).toMatchObject({ width: 120, height: 80 });
    const pid = engine.host.pid!;
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]).toBe(process.execPath);
    await engine.host.close();
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  }, 240_000);

  it('imports a network in it', async () => {
    const folder = temporaryFolder();
    const [from, toFolder] = [join(folder, 'from'), join(folder, 'to')];
    for (const path of [from, toFolder]) mkdirSync(path);
    const path = nearestNetwork(from).variants[0]?.path ?? '';
    const found = await importNetwork(
      {
        nodePath: process.execPath,
        enginePath: join(import.meta.dirname, '../../../electron/engine/main.ts'),
        log: () => undefined,
      },
      { files: [{ name: 'nearest.onnx', path }], toFolder },
      new AbortController().signal,
    );
    expect(found).toMatchObject({ contract: { scale: 2 } });
    expect(readdirSync(from)).toEqual([path.slice(from.length + 1)]);
  }, 240_000);

  it('knows a death inside from a sandbox that failed', async () => {
    const folder = temporaryFolder();
    const programPath = join(folder, 'program.mjs');
    writeFileSync(programPath, 'process.kill(process.pid, "SIGSEGV")');
    const command = { nodePath: process.execPath, args: [programPath], programPath };
    const start = (writable: string[]) =>
      spawnSandboxed(command, { readable: [], writable }, { stdio: ['ignore', 'pipe', 'pipe'] });
    const died = start([]);
    const [code, signal] = (await once(died.child, 'close')) as [number, NodeJS.Signals | null];
    expect(describeEnd(code, signal)).toBe('SIGSEGV');
    expect(died.neverBegan()).toBe(false);
    const failed = start([join(folder, 'missing')]);
    failed.child.stderr?.resume();
    await once(failed.child, 'close');
    expect(failed.neverBegan()).toBe(true);
  }, 60_000);
});

describe('without a sandbox', () => {
  it('is switched off by a variable, and absent on other systems', () => {
    expect(sandboxObstacle('linux', { ...process.env, ENLARGER_SANDBOX: 'off' })).toMatch(/off/);
    expect(sandboxObstacle('linux', { PATH: '/nowhere' })).toMatch(/not installed/);
    expect(sandboxObstacle('darwin', process.env)).toBeDefined();
  });

  it('knows graphics cards by their device files', () => {
    const folder = temporaryFolder();
    expect(hasGraphicsDevice(folder)).toBe(false);
    symlinkSync('/dev/null', join(folder, 'nvidiactl'));
    expect(hasGraphicsDevice(folder)).toBe(true);
  });
});

/** Last: from a failure on, no process of this test file has a sandbox. */
describe.runIf(process.platform === 'linux')('where the system refuses one', () => {
  it('works without, and logs why once', async () => {
    const folder = temporaryFolder();
    const refusing = join(folder, 'bwrap');
    writeFileSync(
      refusing,
      `#!/bin/sh\necho >>'${folder}/tries'\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n`,
    );
    chmodSync(refusing, 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
    const logged: string[] = [];
    const log: EngineHostOptions['log'] = (_level, message, details) => {
      if (message.includes('sandbox')) logged.push(String(details?.['reason']));
    };
    const { host, found } = await breakIn({ log });
    expect(await host.inspect('any', limits)).toMatchObject({ width: 1 });
    // All that a sandbox is for: without one, each of it is in reach.
    const open = {
      ...{ key: expect.stringMatching(/./) as string, database: expect.any(Number) as number },
      ...{ beside: 'private', changedSource: 'done', program: 'done', socket: 'done' },
      ...{
        home: expect.any(Array) as string[],
        accounts: expect.stringContaining('root') as string,
      },
    };
    expect(await found('inspect')).toMatchObject(open);
    expect(await found('jobs')).toMatchObject(open);
    expect(logged).toEqual(['bwrap: No permissions to create new namespace']);
    const tries = () => readFileSync(join(folder, 'tries'), 'utf8').length;
    const before = tries();
    const later = await breakIn({ log });
    expect(await later.host.inspect('any', limits)).toMatchObject({ width: 1 });
    expect(await later.found('inspect')).toMatchObject(open);
    expect([tries(), logged.length]).toEqual([before, 1]);
  }, 120_000);
});
