/** Paths of the application's parts, in a checkout and in an installed package. */
import path from 'node:path';
import { findInstallation, type Installation } from '../../installation.ts';

export interface DesktopInstallation extends Installation {
  /** Plain Node binary, since the engine cannot run in Electron's processes. */
  nodePath: string;
  /** The command line's program, run by that Node. */
  commandPath: string;
  preloadPath: string;
  iconPath: string;
  /** Folder of the tray icons. */
  trayDir: string;
}

interface InstallationPaths {
  /** URL of main.js. */
  programUrl: string;
  /** Checkout, or the package's archive. */
  appPath: string;
  /** Undefined in a checkout. */
  resourcesPath: string | undefined;
  /** Node that started a checkout's application. */
  nodePath?: string | undefined;
  platform: NodeJS.Platform;
}

export function findDesktopInstallation(around: InstallationPaths): DesktopInstallation {
  const { programUrl, appPath, resourcesPath, nodePath, platform } = around;
  const parts = findInstallation(programUrl);
  const node = platform === 'win32' ? 'node.exe' : 'node';
  // Plain Node cannot read the archive, so the engine is unpacked beside it.
  const enginePath = parts.enginePath.replace('app.asar', 'app.asar.unpacked');
  const own = {
    enginePath,
    commandPath: path.join(path.dirname(enginePath), 'cli.js'),
    preloadPath: path.join(appPath, 'out/preload/preload.cjs'),
    iconPath: path.join(appPath, 'resources/icon.png'),
    trayDir: path.join(appPath, 'resources/tray'),
  };
  if (resourcesPath === undefined)
    return {
      ...parts,
      ...own,
      nodePath: nodePath ?? path.join(appPath, 'node_modules/.bin', node),
    };
  return {
    ...parts,
    ...own,
    modelsDir: path.join(resourcesPath, 'models'),
    nodePath: path.join(resourcesPath, 'bin', node),
  };
}
