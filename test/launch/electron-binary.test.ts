/** Electron's binary at the first start: the real installer, against a mirror on this machine with a tiny Electron. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { electronBinary, provideElectron } from '../../electron/launch/electron-binary.mjs';
import { root, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { zipOf } from '../support/zip.ts';

const { platform, arch } = process;
const real = path.join(root, 'node_modules/electron');
const { version } = JSON.parse(readFileSync(path.join(real, 'package.json'), 'utf8')) as {
  version: string;
};
const names: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};
const name = names[platform] ?? 'electron';
const archive = zipOf({ [name]: '#!/bin/sh\necho "window $*"\n', version });
const archiveName = `electron-v${version}-${platform}-${arch}.zip`;

let checkout: string;
let env: NodeJS.ProcessEnv;
/** Paths that the mirror was asked for. */
let requested: string[];

beforeEach(async () => {
  checkout = temporaryFolder();
  requested = [];
  const modules = path.join(checkout, 'node_modules');
  await mkdir(path.join(modules, 'electron'), { recursive: true });
  for (const file of ['package.json', 'install.js'])
    await cp(path.join(real, file), path.join(modules, 'electron', file));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const checksums = JSON.stringify({ [archiveName]: sha256 });
  await writeFile(path.join(modules, 'electron/checksums.json'), checksums);
  for (const linked of ['@electron', '@electron-internal', 'better-sqlite3'])
    await symlink(path.join(root, 'node_modules', linked), path.join(modules, linked), 'junction');
  await cp(path.join(root, 'electron/launch'), path.join(checkout, 'electron/launch'), {
    recursive: true,
  });
  env = { ...process.env, electron_config_cache: path.join(checkout, 'cache') };
  delete env.ELECTRON_SKIP_BINARY_DOWNLOAD;
});

const serveArchive: RequestListener = ({ url = '' }, response) => {
  requested.push(url);
  response.writeHead(200, { 'content-length': archive.length }).end(archive);
};

async function startMirror(listener: RequestListener = serveArchive): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  env.ELECTRON_MIRROR = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return server;
}

/** A program that provides the binary in a process of its own, and prints where it is. */
async function writeProvider(): Promise<string> {
  const file = path.join(checkout, 'provide.mjs');
  await writeFile(
    file,
    `import { provideElectron } from './electron/launch/electron-binary.mjs';
     console.log(await provideElectron(import.meta.dirname));`,
  );
  return file;
}

const inElectron = (file: string) => path.join(checkout, 'node_modules/electron', file);
const provide = (stallMs?: number) =>
  provideElectron(checkout, { env, ...(stallMs !== undefined && { stallMs }) });

describe("Electron's binary", () => {
  it('is fetched once, from the mirror, and then found', async () => {
    await startMirror();
    expect(electronBinary(checkout, env)).toBeUndefined();
    const binary = await provide();
    expect(binary).toBe(inElectron(`dist/${name}`));
    expect(electronBinary(checkout, env)).toBe(binary);
    expect(await provide()).toBe(binary);
    expect(requested).toEqual([`/v${version}/${archiveName}`]);
    expect(existsSync(path.join(checkout, 'node_modules/.enlarger-fetching'))).toBe(false);
  });

  it('comes from the cache without a network when it was fetched before', async () => {
    const mirror = await startMirror();
    await provide();
    mirror.closeAllConnections();
    mirror.close();
    await rm(inElectron('dist'), { recursive: true });
    await rm(inElectron('path.txt'));
    await provide();
    expect(requested).toHaveLength(1);
  });

  it('is fetched by one of two programs that start together', async () => {
    await startMirror();
    const program = await writeProvider();
    const start = () => startProgram(process.execPath, [program], env).ended;
    const ends = await Promise.all([start(), start()]);
    for (const { code, stdout } of ends)
      expect([code, stdout]).toEqual([0, `${inElectron(`dist/${name}`)}\n`]);
    expect(requested).toHaveLength(1);
    expect(ends.filter(({ stderr }) => stderr.includes('Fetching Electron'))).toHaveLength(1);
  });

  it.each([
    ['unpacked in part', async () => rm(inElectron('path.txt'))],
    ['of an older version', async () => writeFile(inElectron('dist/version'), '33.2.1')],
    ['without its program', async () => rm(inElectron(`dist/${name}`))],
    ['without its version', async () => rm(inElectron('dist/version'))],
  ])('counts as missing where it is %s, and is unpacked anew', async (_what, damage) => {
    await startMirror();
    await provide();
    await damage();
    expect(electronBinary(checkout, env)).toBeUndefined();
    await writeFile(inElectron('dist/stale'), '');
    expect(electronBinary(checkout, env)).toBeUndefined();
    expect(await provide()).toBe(inElectron(`dist/${name}`));
    expect(existsSync(inElectron('dist/stale'))).toBe(false);
  });

  it('goes through the proxy that the environment names', async () => {
    const mirror = await startMirror();
    const target = mirror.address() as AddressInfo;
    const tunnels: string[] = [];
    const proxy = createServer().listen(0, '127.0.0.1');
    proxy.on('connect', (request, client) => {
      tunnels.push(request.url ?? '');
      const server = connect(target.port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        server.pipe(client).pipe(server);
      });
      for (const socket of [server, client]) socket.on('error', () => undefined);
      onTestFinished(() => void server.destroy());
    });
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    env.ELECTRON_MIRROR = `http://mirror.invalid:${target.port}/`;
    // What a plain http: address takes; https: addresses take HTTPS_PROXY.
    Object.assign(env, { HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl });
    await provide();
    expect(tunnels).toEqual([`mirror.invalid:${target.port}`]);
  });
});

describe('one sentence', () => {
  it('is said without a network', async () => {
    env.ELECTRON_MIRROR = 'http://127.0.0.1:9/';
    await expect(provide()).rejects.toThrow(
      /^Electron could not be fetched: its address could not be reached\.$/,
    );
  });

  it('is said where the address holds no Electron', async () => {
    await startMirror((_request, response) => void response.writeHead(404).end());
    await expect(provide()).rejects.toThrow(/^Electron could not be fetched: .*404.*\.$/);
  });

  it('is said of a file that is not what was expected', async () => {
    await startMirror((_request, response) => void response.end('something else'));
    await expect(provide()).rejects.toThrow(/^Electron could not be fetched: [^\n]*\.$/);
    expect(electronBinary(checkout, env)).toBeUndefined();
  });

  it('is said when nothing arrives any more, and the download has ended then', async () => {
    const closed = Promise.withResolvers<unknown>();
    await startMirror((request, response) => {
      requested.push(request.url ?? '');
      request.socket.once('close', closed.resolve);
      response.writeHead(200, { 'content-length': archive.length });
      response.write(archive.subarray(0, 40));
    });
    await expect(provide(3000)).rejects.toThrow(
      /^Electron could not be fetched: nothing arrived for 3 seconds\.$/,
    );
    // On a machine under load the time may be over before the mirror is asked.
    if (requested.length > 0) await closed.promise;
  });

  it.skipIf(platform === 'win32')(
    'is said where the checkout cannot be written, and nothing is fetched',
    async (context) => {
      await startMirror();
      const program = await writeProvider();
      for (const folder of [checkout, inElectron('')]) {
        chmodSync(folder, 0o555);
        onTestFinished(() => chmodSync(folder, 0o755));
      }
      // Root may write everywhere.
      const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
      const { stderr, error } = spawnSync(process.execPath, [program], {
        env,
        encoding: 'utf8',
        ...user,
      });
      context.skip(error !== undefined, `Another user cannot run Node here: ${error?.message}`);
      expect(stderr).toMatch(/node_modules.electron cannot be written to put it there\./);
      expect(requested).toEqual([]);
    },
  );

  it.each([
    [{ ELECTRON_SKIP_BINARY_DOWNLOAD: '1' }, /ELECTRON_SKIP_BINARY_DOWNLOAD is set\.$/],
    [{ ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' }, /names \/nowhere, which holds no Electron\.$/],
  ])('is said where %j asks for no download', async (more, sentence) => {
    await startMirror();
    Object.assign(env, more);
    await expect(provide()).rejects.toThrow(sentence);
    expect(requested).toEqual([]);
  });

  it('is said in an installed npm package, which brings no Electron', async () => {
    await rm(inElectron(''), { recursive: true });
    await expect(provide()).rejects.toThrow('Electron is not part of this installation.');
  });
});
