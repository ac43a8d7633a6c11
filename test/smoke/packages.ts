/** The packages in a folder, each brought to where its program can be started, as a person would. */
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface Installed {
  program: string;
  env?: Record<string, string>;
  remove?(): void;
}
export interface Packed {
  name: string;
  install: () => Installed;
}
type Install = (file: string) => Installed;

const run = (command: string, args: string[], cwd?: string) =>
  void execFileSync(command, args, { stdio: 'inherit', cwd });

const inFolder = (take: (file: string, folder: string) => string): Install => {
  return (file) => ({ program: take(file, temporaryFolder()) });
};
const unpacked: Install = (program) => ({ program });

/** By what the names of files and folders end with, the first that fits. */
const kinds: Partial<Record<NodeJS.Platform, [pattern: string, Install][]>> = {
  linux: [
    ['linux*-unpacked/enlarger-window', unpacked],
    [
      '*.tar.gz',
      inFolder((file, folder) => {
        run('tar', ['-xf', file, '--strip-components=1', '-C', folder]);
        return path.join(folder, 'enlarger-window');
      }),
    ],
    [
      '*.AppImage',
      (program) => {
        chmodSync(program, 0o755);
        // Where FUSE is not installed.
        return { program, env: { APPIMAGE_EXTRACT_AND_RUN: '1' } };
      },
    ],
    [
      '*.deb',
      (file) => {
        run('sudo', ['apt-get', 'install', '-y', file]);
        const remove = () => run('sudo', ['apt-get', 'remove', '-y', 'enlarger']);
        return { program: '/opt/Enlarger/enlarger-window', remove };
      },
    ],
    [
      '*.rpm',
      inFolder((file, folder) => {
        // Not installed: the machine that packs is no Fedora.
        run('sh', ['-c', 'rpm2cpio "$1" | cpio -idm --quiet', 'sh', file], folder);
        return path.join(folder, 'opt/Enlarger/enlarger-window');
      }),
    ],
  ],
  win32: [
    ['win*-unpacked/Enlarger.exe', unpacked],
    ['*-portable.exe', unpacked],
    ['*-small.exe', unpacked],
    [
      '*.exe',
      (file) => {
        const folder = path.join(temporaryFolder(), 'Enlarger');
        run(file, ['/S', `/D=${folder}`]);
        const remove = () => run(path.join(folder, 'Uninstall Enlarger.exe'), ['/S']);
        return { program: path.join(folder, 'Enlarger.exe'), remove };
      },
    ],
  ],
  darwin: [
    ['mac*/Enlarger.app/Contents/MacOS/Enlarger', unpacked],
    [
      '*.zip',
      inFolder((file, folder) => {
        run('ditto', ['-x', '-k', file, folder]);
        return path.join(folder, 'Enlarger.app/Contents/MacOS/Enlarger');
      }),
    ],
    [
      '*.dmg',
      inFolder((file, folder) => {
        const disk = path.join(folder, 'disk');
        mkdirSync(disk);
        run('hdiutil', ['attach', '-nobrowse', '-readonly', '-mountpoint', disk, file]);
        run('ditto', [path.join(disk, 'Enlarger.app'), path.join(folder, 'Enlarger.app')]);
        run('hdiutil', ['detach', disk]);
        return path.join(folder, 'Enlarger.app/Contents/MacOS/Enlarger');
      }),
    ],
  ],
};

/** Each file once, in the order of the kinds. */
export function packagesIn(folder: string, platform: NodeJS.Platform = process.platform): Packed[] {
  const taken = new Set<string>();
  return (kinds[platform] ?? []).flatMap(([pattern, install]) =>
    globSync(pattern, { cwd: folder })
      .filter((name) => !taken.has(name) && taken.add(name))
      .map((name) => ({ name, install: () => install(path.resolve(folder, name)) })),
  );
}
