/** Starts the desktop application. A second start passes its files to the first and ends. */
import { app, crashReporter } from 'electron';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { defaultDataDir } from '../packages/files/src/data-dir.ts';
import { isFolder, portableFolder } from './desktop/start/portable.ts';
import { requestOnlyInstance } from './desktop/start/incoming.ts';
import { reportFailure, runApplication } from './desktop/start/run-application.ts';
import { readStartArguments } from './desktop/start/start-arguments.ts';

const start = readStartArguments(process.argv, {
  cwd: process.cwd(),
  isPackaged: app.isPackaged,
});
const portable = portableFolder({
  platform: process.platform,
  execPath: process.execPath,
  env: process.env,
  isFolder,
});
const dataDir = start.dataDir ?? (app.isPackaged ? portable : undefined);
// Each data folder has its own application. macOS treats Enlarger and enlarger as one name, so without a
// folder of their own the window's files would mix with the service's.
const defaultFolder = process.platform === 'darwin' ? defaultDataDir() : undefined;
const windowIn = dataDir ?? defaultFolder;
const problem = dataDir === undefined ? undefined : problemWith(dataDir);
if (windowIn !== undefined && problem === undefined)
  app.setPath('userData', path.join(windowIn, 'window'));
app.setAppUserModelId('app.enlarger.desktop');
// Without a shortcut, as in the portable program, this is how Windows attributes notifications.
if (process.platform === 'win32')
  app.setToastActivatorCLSID('{5C1E6A0B-4C55-4B0E-9C57-6B3C9D0F8A21}');
// Local files only, never uploaded.
crashReporter.start({ uploadToServer: false });
// Otherwise children would be sandboxed although this process is not, and crash.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

// Without that folder there is no lock either, and this would end as if another instance ran.
if (problem !== undefined) app.whenReady().then(() => reportFailure(problem), reportFailure);
else if (requestOnlyInstance(start.paths))
  runApplication(import.meta.url, { ...start, dataDir }).catch(reportFailure);
else app.exit();

/** Returns a sentence if the window's files cannot be stored in the data folder. */
function problemWith(folder: string): Error | undefined {
  try {
    mkdirSync(path.join(folder, 'window'), { recursive: true });
    return undefined;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new Error(
      `The data folder ${folder} cannot be used (${reason}). Start Enlarger with another one: --data-dir=FOLDER.`,
      { cause },
    );
  }
}
