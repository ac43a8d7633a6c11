/** The service as a process of its own with an engine that finishes at once, for kills at the service's own steps. */
import path from 'node:path';
import { createScriptedHost, siegeModels } from './scripted-service.ts';
import { startService } from '../../electron/service/service.ts';

const [dataDir = ''] = process.argv.slice(2);

const service = await startService({
  dataDir,
  port: 0,
  enginePath: '',
  nodePath: process.execPath,
  modelsDir: siegeModels(dataDir),
  pageDir: path.join(dataDir, 'page'),
  version: '0.0.0',
  allowFolders: [path.join(dataDir, 'saved')],
  measuresAtStart: false,
  createEngine: createScriptedHost,
  log: () => undefined,
});
process.stdout.write(
  `${JSON.stringify({ url: service.url, keyFile: service.keyFile, pid: process.pid, pageUrl: '', version: '0' })}\n`,
);
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)));
