/** Where the application's parts lie: in a checkout, and in an installed package. */
import { app } from 'electron';
import path from 'node:path';
import { findInstallation, type Installation } from '../installation.ts';

export interface DesktopInstallation extends Installation {
  /** A plain Node: the engine cannot run in Electron's own processes. */
  nodePath: string;
  preloadPath: string;
}

/** `programUrl` is main.js's own. */
export function findDesktopInstallation(programUrl: string): DesktopInstallation {
  const root = app.getAppPath();
  const parts = findInstallation(programUrl);
  const preloadPath = path.join(root, 'out/preload/preload.cjs');
  const node = process.platform === 'win32' ? 'node.exe' : 'node';
  if (!app.isPackaged)
    return { ...parts, preloadPath, nodePath: path.join(root, 'node_modules/node/bin', node) };
  return {
    ...parts,
    preloadPath,
    // A plain Node cannot read an archive.
    enginePath: parts.enginePath.replace('app.asar', 'app.asar.unpacked'),
    modelsDir: path.join(process.resourcesPath, 'models'),
    nodePath: path.join(process.resourcesPath, 'bin', node),
  };
}
