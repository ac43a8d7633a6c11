/**
 * `npm run package` makes the unpacked application of this system in dist/. On Linux, where Electron's binary
 * cannot be had, an empty stand-in takes its place, so that all other parts can be examined and tried. `npm run
 * dist` makes this system's packages for release, for the architecture of --arch (by default this machine's),
 * or only the kinds of --only=deb,rpm. They hold the recommended models; --small makes one package without them,
 * which looks for no updates.
 */
import { Arch, build, Platform, type CliOptions, type Configuration } from 'electron-builder';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import electron from 'electron/package.json' with { type: 'json' };
import { provideElectron } from '../electron/launch/electron-binary.mjs';
import { packedPageFiles } from '../packages/http/src/index.ts';
import description from '../package.json' with { type: 'json' };
import runtime from '../packages/runtime/package.json' with { type: 'json' };
import { provideIntelRuntime } from './intel-mac.ts';
import { collectLicences } from './licences.ts';
import { provideNode } from './official-node.ts';
import { openUpdateFiles, planPasses } from './passes.ts';
import { publishing, unsignedChanges } from './publishing.ts';
import { provideRecommended } from './recommended.ts';

export async function packageApplication(root: string): Promise<void> {
  const electronProblem = await provideElectron(root).then(() => undefined, asError);
  // Elsewhere the packer changes the binary, and an empty file cannot be changed.
  if (electronProblem !== undefined && process.platform !== 'linux') throw electronProblem;
  await prepareParts(root, process.arch, false);
  if (electronProblem === undefined) return pack(root, { dir: true });
  console.error(`${electronProblem.message} The package gets an empty file in its place.`);
  const standIn = await mkdtemp(path.join(tmpdir(), 'enlarger-electron-'));
  try {
    await writeStandIn(standIn);
    // Fuses are bytes inside the binary, and the stand-in has none.
    await pack(root, { dir: true }, { electronDist: standIn, electronFuses: null });
  } finally {
    await rm(standIn, { recursive: true, force: true });
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

export async function distribute(root: string, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      arch: { type: 'string', default: process.arch },
      only: { type: 'string' },
      small: { type: 'boolean', default: false },
    },
  });
  const arch = readArch(values.arch);
  // It lies in the cache then, from which electron-builder takes it. Another architecture's it fetches itself.
  if (values.arch === process.arch) await provideElectron(root);
  await prepareParts(root, values.arch, true);
  if (values.small) {
    const kinds = values.only?.split(',') ?? smallKinds(process.platform);
    const targets = Platform.current().createTarget(kinds, arch);
    return pack(root, { targets }, smallChanges);
  }
  await provideRecommended({
    modelsDir: path.join(root, 'models'),
    folder: path.join(root, recommendedFolder),
    enginePath: path.join(root, 'electron/engine/main.ts'),
  });
  const place = { platform: process.platform, arch: values.arch };
  const changes = { publish: publishing(description.version, process.env, place) };
  const updates = openUpdateFiles(path.join(root, 'dist'));
  for (const kinds of planPasses(process.platform, values.only?.split(','))) {
    await pack(root, { targets: Platform.current().createTarget(kinds, arch) }, changes);
    await updates.take();
  }
  await updates.write();
}

/** The kind that needs no installing. */
const smallKinds = (platform: NodeJS.Platform): string[] => {
  if (platform === 'win32') return ['portable'];
  return [platform === 'darwin' ? 'dmg' : 'tar.gz'];
};

const smallName = '${productName}-${version}-${os}-${arch}-small.${ext}';
const smallChanges: Configuration = {
  publish: null,
  artifactName: smallName,
  portable: { artifactName: smallName },
};

function readArch(name: string): Arch {
  if (name === 'x64') return Arch.x64;
  if (name === 'arm64') return Arch.arm64;
  throw new Error(`Expected --arch to be x64 or arm64 but received ${name}.`);
}

/** As electron-builder.yml names it. */
const recommendedFolder = 'dist/recommended';

/** Prepares the parts of packages that the build does not make: Node, licences, and compressed files. */
async function prepareParts(root: string, arch: string, onlyOfficial: boolean): Promise<void> {
  const { platform } = process;
  const folder = path.join(root, `dist/node/${platform}-${arch}`);
  await provideNode(root, { version: runtime.version, platform, arch }, { folder, onlyOfficial });
  if (platform === 'darwin' && arch === 'x64') await provideIntelRuntime(root);
  await compressParts(root);
  await rm(path.join(root, recommendedFolder), { recursive: true, force: true });
  const licences = path.join(root, 'dist/licences');
  await mkdir(licences, { recursive: true });
  await writeFile(path.join(licences, 'THIRD-PARTY.txt'), await collectLicences(root));
}

/** These files are large and read as a whole: WebAssembly, and the API's page, which browsers unpack. */
const compressed = {
  br: [
    'wasm-vips/lib/vips.wasm',
    'libheif-js/libheif-wasm/libheif.wasm',
    'libraw-wasm/dist/libraw.wasm',
  ],
  gz: packedPageFiles.map((name) => `@fastify/swagger-ui/static/${name}`),
};

async function compressParts(root: string): Promise<void> {
  const folder = path.join(root, 'dist/compressed');
  await rm(folder, { recursive: true, force: true });
  const writeAll = async (names: string[], suffix: string, compress: (bytes: Buffer) => Buffer) => {
    for (const name of names) {
      const target = path.join(folder, name + suffix);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, compress(await readFile(path.join(root, 'node_modules', name))));
    }
  };
  await writeAll(compressed.br, '.br', brotliCompressSync);
  await writeAll(compressed.gz, '.gz', gzipSync);
}

/** @param changes options that replace those of electron-builder.yml */
async function pack(
  root: string,
  what: Pick<CliOptions, 'dir' | 'targets'>,
  changes: Configuration = {},
): Promise<void> {
  const unsigned = unsignedChanges(process.platform, process.env);
  const config = { extends: path.join(root, 'electron-builder.yml'), ...unsigned, ...changes };
  await build({ projectDir: root, ...what, publish: 'never', config });
}

async function writeStandIn(folder: string): Promise<void> {
  await writeFile(path.join(folder, 'electron'), '', { mode: 0o755 });
  await writeFile(path.join(folder, 'version'), electron.version);
  await mkdir(path.join(folder, 'locales'));
  await writeFile(path.join(folder, 'locales/en-US.pak'), '');
}
