/** The service with another program in the place of the engine's Node: `engineless.ts DATA NODE`. */
import { findInstallation } from '../../electron/installation.ts';
import { startService } from '../../electron/service/service.ts';

const [dataDir = '', nodePath = ''] = process.argv.slice(2);
const program = new URL('../../electron/headless.ts', import.meta.url);

const service = await startService({
  ...findInstallation(program.href),
  dataDir,
  port: 0,
  nodePath,
  measuresAtStart: false,
  log: () => undefined,
});
process.stdout.write(
  `${JSON.stringify({ url: service.url, keyFile: service.keyFile, pid: process.pid, pageUrl: '', version: '0' })}\n`,
);
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)));
