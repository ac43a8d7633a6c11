/** Where the application's parts lie: in a checkout, and in an installed package. */
import path from 'node:path';
import { findInstallation, type Installation } from '../../installation.ts';

export interface DesktopInstallation extends Installation {
  /** A plain Node: the engine cannot run in Electron's own processes. */
  nodePath: string;
  /** The command line, as that Node runs it. */
  commandPath: string;
  preloadPath: string;
  iconPath: string;
  /** The folder of the tray's pictures. */
  trayDir: string;
}

interface Surroundings {
  /** main.js's own. */
  programUrl: string;
  /** The checkout, or the package's archive. */
  appPath: string;
  /** Undefined in a checkout. */
  resourcesPath: string | undefined;
  /** The Node that started the checkout's application. */
  nodePath?: string | undefined;
  platform: NodeJS.Platform;
}

export function findDesktopInstallation(around: Surroundings): DesktopInstallation {
  const { programUrl, appPath, resourcesPath, nodePath, platform } = around;
  const parts = findInstallation(programUrl);
  const node = platform === 'win32' ? 'node.exe' : 'node';
  // A plain Node cannot read an archive.
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
