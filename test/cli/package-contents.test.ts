/**
 * The package that `npm run package` made, on this system: what is in it, and that its own Node runs its own
 * service and engine from it. Skipped where there is none, or where the programs were built since.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../packages/api-client/src/client.ts';
import { findDesktopInstallation } from '../../electron/desktop/start/installation.ts';
import { packedPageFiles } from '../../packages/http/src/packed-page.ts';
import { startService } from '../../electron/service/service.ts';
import { photo } from '../support/images.ts';
import { bmpOf, dngOf } from '../support/made-files.ts';
import { writeSmallJpeg } from '../support/pictures.ts';
import { root } from '../support/program.ts';
import { createClient as createTestClient } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { platform, arch } = process;
const unpacked: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux-unpacked/resources',
  win32: 'win-unpacked/resources',
  darwin: `mac${arch === 'arm64' ? '-arm64' : ''}/Enlarger.app/Contents/Resources`,
};
const resources = path.join(root, 'dist', unpacked[platform] ?? '');
const archive = path.join(resources, 'app.asar');
/** Node's program is smaller on Linux, where it need not be as its makers signed it. */
const maxMib = platform === 'linux' ? 185 : 203;
const skipped = reasonToSkip();

function reasonToSkip(): string {
  if (!existsSync(archive)) return 'npm run package was not run';
  const stamp = statSync(path.join(root, 'out/built'), { throwIfNoEntry: false });
  return stamp === undefined || stamp.mtimeMs <= statSync(archive).mtimeMs
    ? ''
    : 'the package is older than the build';
}

describe.skipIf(skipped !== '')(`the package${skipped && ` (skipped: ${skipped})`}`, () => {
  let extracted: string;
  let parts: ReturnType<typeof findDesktopInstallation>;
  let files: string[];

  beforeAll(async () => {
    extracted = temporaryFolder();
    const asar = await import('@electron/asar');
    asar.extractAll(archive, extracted);
    // For the service alone, which expects them where a checkout has them.
    await symlink(path.join(resources, 'models'), path.join(extracted, 'models'), 'junction');
    files = [
      ...(await readdir(extracted, { recursive: true })),
      ...(await readdir(resources, { recursive: true })),
    ];
    parts = {
      ...findDesktopInstallation({
        // Only the version is read there, and a plain Node cannot read an archive.
        programUrl: pathToFileURL(path.join(extracted, 'out/main/main.js')).href,
        appPath: archive,
        resourcesPath: resources,
        platform,
      }),
      enginePath: path.join(`${archive}.unpacked`, 'out/main/engine.js'),
      pageDir: path.join(extracted, 'out/renderer'),
    };
  });

  it('holds program, page, preload, pictures of tray and window, models, licences and Node', () => {
    const isThere = (file: string) => [file, existsSync(file)];
    const wanted = [
      path.join(extracted, 'out/main/main.js'),
      path.join(extracted, 'out/preload/preload.cjs'),
      path.join(extracted, 'out/renderer/index.html'),
      path.join(extracted, 'resources/tray/tray.png'),
      path.join(extracted, 'resources/icon.png'),
      path.join(`${archive}.unpacked`, 'out/main/foreign.js'),
      path.join(resources, 'models/catalogue.json'),
      path.join(resources, 'licences/README.md'),
      path.join(resources, 'licences/THIRD-PARTY.txt'),
      parts.nodePath,
      parts.enginePath,
    ];
    expect(wanted.map(isThere)).toEqual(wanted.map((file) => [file, true]));
  });

  it("holds this system's native files only, no sources of ours and no tools", () => {
    const natives = files.filter((file) => /\.(node|dll|dylib)$|\.so(\.|$)/.test(file));
    const system = platform === 'win32' ? /win32/ : new RegExp(platform);
    expect(natives.length).toBeGreaterThan(3);
    expect(natives.filter((file) => !system.test(file) || !file.includes(arch))).toEqual([]);
    const unwanted = /\.map$|\.d\.ts$|^(electron|renderer|test|models\/training)\//;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
    const packages = ['electron', 'electron-builder', 'vite', 'svelte', 'typescript', 'commander'];
    expect(
      packages.filter((name) => existsSync(path.join(extracted, 'node_modules', name))),
    ).toEqual([]);
  });

  it('stays under its size without Electron', async () => {
    const inside = await readdir(resources, { recursive: true, withFileTypes: true });
    const sizes = inside
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size);
    const mib = sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
    const named = inside.map((entry) => path.join(entry.parentPath, entry.name));
    const partOf = (part: RegExp) =>
      named
        .filter((file) => part.test(path.relative(resources, file)) && statSync(file).isFile())
        .reduce((sum, file) => sum + statSync(file).size / 2 ** 20, 0);
    const networks = partOf(/^models/);
    console.table({
      'Node (MiB)': partOf(/^bin/).toFixed(1),
      'ONNX Runtime': partOf(/onnxruntime/).toFixed(1),
      'sharp and libvips': partOf(/@img|sharp/).toFixed(1),
      'networks, of 17': networks.toFixed(1),
      [`all, of ${maxMib}`]: mib.toFixed(1),
    });
    expect(mib).toBeGreaterThan(100);
    expect(mib).toBeLessThan(maxMib);
    expect(networks).toBeLessThan(17);
  });

  it('enlarges a JPEG, and reads what WebAssembly decodes, with its own engine and Node', async () => {
    const dataDir = temporaryFolder();
    const pictures = await writePictures(dataDir);
    const service = await startService({ ...parts, dataDir, port: 0, log: () => undefined });
    onTestFinished(() => service.close());
    const client = createClient({ url: service.url, key: service.sessionKey });
    await client.changeSettings({ grantedFolders: [dataDir] });
    const test = createTestClient(service.url, service.sessionKey);
    for (const [name, width] of pictures) {
      const taskId = await test.submit(pathToFileURL(path.join(dataDir, name)).href, { scale: 2 });
      await expect
        .poll(() => test.task(taskId), { timeout: 180_000 })
        .toMatchObject({ status: 'FINISHED' });
      const record = await test.record(taskId);
      expect([name, record.output?.width]).toEqual([name, width * 2]);
    }
    const address = pathToFileURL(path.join(dataDir, 'photo.jpg')).href;
    const taskId = await test.submit(address, { scale: 2, format: 'jxl' });
    await expect
      .poll(() => test.task(taskId), { timeout: 60_000 })
      .toMatchObject({ status: 'FINISHED' });
    expect((await fetch(`${service.url}/`)).headers.get('content-security-policy')).toContain(
      "default-src 'none'",
    );
  }, 600_000);

  it("has every package that the service's program loads", async () => {
    const dataDir = temporaryFolder();
    const program = path.join(extracted, 'out/main/headless.js');
    const child = spawn(parts.nodePath, [program, '--port', '0', '--data-dir', dataDir], {
      cwd: extracted,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    expect((await fetch(`${url}/api/health`)).ok).toBe(true);
    expect((await fetch(`${url}/api/docs`)).ok).toBe(true);
    for (const name of packedPageFiles) {
      const published = path.join(root, 'node_modules/@fastify/swagger-ui/static', name);
      for (const encoding of ['gzip', 'identity']) {
        const headers = { 'accept-encoding': encoding };
        const response = await fetch(`${url}/api/docs/static/${name}`, { headers });
        expect(response.headers.get('content-type')).toMatch(/javascript|css/);
        expect((await response.text()) === (await readFile(published, 'utf8'))).toBe(true);
      }
    }
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.skipIf(!hasNamespaces())(
    'works in a network that is not there, and writes into its data folder alone',
    async () => {
      const dir = temporaryFolder();
      const [home, temporary, data] = ['home', 'tmp', 'data'].map((name) => path.join(dir, name));
      for (const folder of [home!, temporary!]) await mkdir(folder);
      await writeSmallJpeg(path.join(dir, 'photo.jpg'), 96, 64);
      const client = path.join(root, 'test/support/package-client.mjs');
      const service = path.join(extracted, 'out/main/headless.js');
      const command = [parts.nodePath, client, service, data!, path.join(dir, 'photo.jpg')];
      const script = 'ip link set lo up && exec "$@"';
      const stdout = execFileSync('unshare', ['-rn', 'sh', '-c', script, 'sh', ...command], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: home, TMPDIR: temporary },
      });
      const told = JSON.parse(stdout) as Record<string, unknown>;
      console.log(`The packed service answers after ${String(told['startMs'])} ms.`);
      expect(told).toMatchObject({ enlarged: 'FINISHED', interfaces: ['lo'] });
      expect(['FINISHED', 'NO_SUBJECT']).toContain(told['masked']);
      expect(await readdir(home!, { recursive: true })).toEqual([]);
      expect(await readdir(temporary!)).toEqual([]);
    },
    240_000,
  );

  it('has the command line, which starts a service of its own where none runs', async () => {
    const dir = temporaryFolder();
    await writeSmallJpeg(path.join(dir, 'photo.jpg'), 48, 32);
    const command = path.join(resources, 'bin', platform === 'win32' ? 'enlarger.cmd' : 'enlarger');
    const words = ['upscale', path.join(dir, 'photo.jpg'), '--data-dir', path.join(dir, 'data')];
    execFileSync(command, words, { shell: platform === 'win32' });
    expect(await readdir(dir)).toContain('photo-2x.jpg');
  }, 120_000);

  it('is one application with its own version', async () => {
    const text = await readFile(path.join(extracted, 'package.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      main: 'out/main/main.js',
      desktopName: 'app.enlarger.desktop.desktop',
      version: parts.version,
    });
  });
});

/** Whether a process may have a network of its own here, in which there is nothing but itself. */
function hasNamespaces(): boolean {
  return spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
}

/** Their names and widths. HEIC only where something here can write it. */
async function writePictures(folder: string): Promise<[name: string, widthPx: number][]> {
  await writeSmallJpeg(path.join(folder, 'photo.jpg'), 48, 32);
  await writeFile(path.join(folder, 'old.bmp'), bmpOf(photo(60, 40)));
  await writeFile(path.join(folder, 'raw.dng'), dngOf(64, 48, 32_768));
  const made: [string, number][] = [
    ['photo.jpg', 48],
    ['old.bmp', 60],
    ['raw.dng', 64],
  ];
  if (spawnSync('heif-enc', ['-h']).error !== undefined) return made;
  const files = [path.join(folder, 'photo.jpg'), '-o', path.join(folder, 'phone.heic')];
  execFileSync('heif-enc', files, { stdio: 'ignore' });
  return [...made, ['phone.heic', 48]];
}
