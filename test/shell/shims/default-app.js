// Electron's own default_app, which the package of the test's Electron leaves out.
// It must be a module that awaits the application, or app.enableSandbox() comes too late.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

await import(pathToFileURL(path.join(path.dirname(process.execPath), 'bridge.mjs')).href);
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
const folder = path.resolve(process.argv.slice(1).find((word) => !word.startsWith('-')) ?? '.');
const { name, version, main } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
app.name = name;
app.setVersion(version);
app.setDesktopName(`${name}.desktop`);
app.setPath('userData', path.join(app.getPath('appData'), name));
app.setAppPath(folder);
try {
  await import(pathToFileURL(path.join(folder, main)).href);
} catch (error) {
  console.error('The application could not be loaded:', error);
  app.exit(9);
}
