/** Starts the desktop application, once at a time: a second start hands its files to the first and ends. */
import { app, crashReporter } from 'electron';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { usualDataDir } from './files/data-dir.ts';
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
// Each data folder has an application of its own. A Mac's disk takes Enlarger and enlarger for one name, so
// without a folder of their own the window's files would lie among the service's.
const usual = process.platform === 'darwin' ? usualDataDir() : undefined;
const windowIn = dataDir ?? usual;
const problem = dataDir === undefined ? undefined : problemWith(dataDir);
if (windowIn !== undefined && problem === undefined)
  app.setPath('userData', path.join(windowIn, 'window'));
app.setAppUserModelId('app.enlarger.desktop');
// Without a shortcut, as the portable program is, Windows knows whose notifications they are by this alone.
if (process.platform === 'win32')
  app.setToastActivatorCLSID('{5C1E6A0B-4C55-4B0E-9C57-6B3C9D0F8A21}');
// Local files, which are sent nowhere.
crashReporter.start({ uploadToServer: false });
// It would give the children a sandbox although this process has none, and then they crash.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

// Without that folder the lock cannot be had either, and this would end as if another instance ran.
if (problem !== undefined) app.whenReady().then(() => reportFailure(problem), reportFailure);
else if (requestOnlyInstance(start.paths))
  runApplication(import.meta.url, { ...start, dataDir }).catch(reportFailure);
else app.exit();

/** Returns an error with a sentence for the person if the window's files cannot be kept in the data folder. */
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
