/** The package's only entry: the application imports nothing else. */
import type { CompatAppDeps } from './compat-app.ts';

export type { CompatAppDeps } from './compat-app.ts';
export { createCompatListener, type CompatListener } from './listener.ts';
export { sendCompatPage } from './documentation-page.ts';
export { compatTable, type CompatRow } from './table.ts';
export type { MadePicture, Pictures, ReceivedPicture } from './pictures.ts';

/** Loaded here, since most people never open the port. */
export const buildCompatApp = async (deps: CompatAppDeps) =>
  (await import('./compat-app.ts')).buildCompatApp(deps);
