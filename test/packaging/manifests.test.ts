/**
 * The files for package managers, against what electron-builder.yml makes and the programs call themselves.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/program.ts';

interface Builder {
  appId: string;
  productName: string;
  artifactName: string;
  extraMetadata: { desktopName: string };
  linux: { mimeTypes: string[]; executableName: string };
  deb: { fpm: string[] };
  rpm: { fpm: string[] };
}
interface Winget {
  ManifestType: 'version' | 'installer' | 'defaultLocale';
  ManifestVersion: string;
  PackageIdentifier: string;
  PackageVersion: string;
  DefaultLocale?: string;
  PackageLocale?: string;
}
interface Flatpak {
  id: string;
  modules: { sources: { url?: string; contents?: string; commands?: string[] }[] }[];
}

const read = (file: string) => readFile(path.join(root, file), 'utf8');
const builder = parse(await read('electron-builder.yml')) as Builder;
const flatpak = parse(await read('packaging/manifests/app.enlarger.desktop.yml')) as Flatpak;
const sources = flatpak.modules.flatMap((module) => module.sources);

/** Names a file as a release does, with the version still to be filled in. */
function artifact(os: string, arch: string, ext: string): string {
  const values: Record<string, string> = { os, arch, ext, version: '{{VERSION}}' };
  return builder.artifactName.replace(/\$\{(\w+)\}/g, (_whole, name: string) =>
    name === 'productName' ? builder.productName : (values[name] ?? ''),
  );
}

describe('the names of the application', () => {
  it('are one on each system: of the window, of its entry and of its shortcut', async () => {
    const { appId } = builder;
    expect(builder.extraMetadata.desktopName).toBe(`${appId}.desktop`);
    expect(await read('electron/main.ts')).toContain(`setAppUserModelId('${appId}')`);
    const metainfo = await read(`resources/linux/${appId}.metainfo.xml`);
    expect(metainfo).toContain(`<id>${appId}</id>`);
    expect(metainfo).toContain(`<launchable type="desktop-id">${appId}.desktop</launchable>`);
    expect(flatpak.id).toBe(appId);
  });
});

describe('the files for package managers', () => {
  it('fetch what a release makes', async () => {
    const winget = await read('packaging/manifests/winget/Enlarger.Enlarger.installer.yaml');
    for (const arch of ['x64', 'arm64'])
      expect(winget).toContain(`/${artifact('win', arch, 'exe')}`);
    const cask = await read('packaging/manifests/enlarger.rb');
    const dmg = artifact('mac', '#{arch}', 'dmg').replace('{{VERSION}}', '#{version}');
    expect(cask).toContain(`/${dmg}"`);
    expect(sources.flatMap(({ url }) => url?.split('/').at(-1) ?? [])).toEqual(
      ['x64', 'arm64'].map((arch) => artifact('linux', arch, 'tar.gz')),
    );
  });

  it("are three for winget, which takes no single one, named by the package and each file's kind", async () => {
    const folder = 'packaging/manifests/winget';
    const manifests = await Promise.all(
      (await readdir(path.join(root, folder))).map(async (name) => ({
        name,
        ...(parse(await read(`${folder}/${name}`)) as Winget),
      })),
    );
    const kinds = { version: '', installer: '.installer', defaultLocale: '.locale.en-US' };
    expect(manifests.map(({ ManifestType }) => ManifestType).toSorted()).toEqual(
      Object.keys(kinds).toSorted(),
    );
    for (const { name, ...manifest } of manifests) {
      expect(name).toBe(`Enlarger.Enlarger${kinds[manifest.ManifestType]}.yaml`);
      expect(manifest).toMatchObject({
        PackageIdentifier: 'Enlarger.Enlarger',
        PackageVersion: '{{VERSION}}',
        ManifestVersion: manifests[0]?.ManifestVersion,
      });
      const locale = manifest.DefaultLocale ?? manifest.PackageLocale ?? 'en-US';
      expect(locale).toBe('en-US');
    }
  });

  it('open with the Flatpak what every other package opens, by the program that is in it', () => {
    const entry = sources.find(({ contents }) => contents !== undefined)?.contents ?? '';
    const types = /^MimeType=(.*);$/m.exec(entry)?.[1]?.split(';');
    expect(types?.sort()).toEqual([...builder.linux.mimeTypes].sort());
    const [script] = sources.flatMap(({ commands }) => commands ?? []);
    expect(script).toContain(`/${builder.linux.executableName} "$@"`);
  });

  it('put completions where the shells of each distribution look', () => {
    const targets = (fpm: string[]) => fpm.map((line) => line.split('=')[1]);
    expect(targets(builder.deb.fpm)).toContain('/usr/share/zsh/vendor-completions/_enlarger');
    expect(targets(builder.rpm.fpm)).toContain('/usr/share/zsh/site-functions/_enlarger');
    for (const { fpm } of [builder.deb, builder.rpm])
      expect(targets(fpm)).toEqual(
        expect.arrayContaining([
          '/usr/bin/enlarger',
          '/usr/share/man/man1/enlarger.1',
          '/usr/share/bash-completion/completions/enlarger',
          '/usr/share/fish/vendor_completions.d/enlarger.fish',
        ]),
      );
  });
});
