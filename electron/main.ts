/** The desktop application. One at a time: a second start hands its files to the first and ends. */
import { app } from 'electron';
import path from 'node:path';
import { beTheOnlyOne } from './desktop/incoming.ts';
import { reportFailure, runApplication } from './desktop/run-application.ts';
import { readStartArguments } from './desktop/start-arguments.ts';

const start = readStartArguments(process.argv, {
  cwd: process.cwd(),
  isPackaged: app.isPackaged,
});
// Another data folder is another application.
if (start.dataDir !== undefined) app.setPath('userData', path.join(start.dataDir, 'window'));
app.setAppUserModelId('app.enlarger.desktop');
app.enableSandbox();

if (beTheOnlyOne(start.paths)) runApplication(import.meta.url, start).catch(reportFailure);
else app.exit();
