/** Finds the application's parts, in a checkout and in an installed package. */
import path from 'node:path';
import { findInstallation, type Installation } from '../../installation.ts';

export interface DesktopInstallation extends Installation {
  /** The path of a plain Node, because the engine cannot run in Electron's own processes. */
  nodePath: string;
  /** The path of the command line's program, which that Node runs. */
  commandPath: string;
  preloadPath: string;
  iconPath: string;
  /** The tray's pictures lie in this folder. */
  trayDir: string;
}

interface Surroundings {
  /** The URL of main.js itself. */
  programUrl: string;
  /** The path of the checkout, or of the package's archive. */
  appPath: string;
  /** The path is undefined in a checkout. */
  resourcesPath: string | undefined;
  /** The path of the Node that started the application of a checkout. */
  nodePath?: string | undefined;
  platform: NodeJS.Platform;
}

export function findDesktopInstallation(around: Surroundings): DesktopInstallation {
  const { programUrl, appPath, resourcesPath, nodePath, platform } = around;
  const parts = findInstallation(programUrl);
  const node = platform === 'win32' ? 'node.exe' : 'node';
  // A plain Node cannot read the archive, so the engine lies unpacked beside it.
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
