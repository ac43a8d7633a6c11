/** The door of this package: the application imports nothing else of it. */
import type { CompatAppDeps } from './compat-app.ts';

export type { CompatAppDeps } from './compat-app.ts';
export { createCompatListener, type CompatListener } from './listener.ts';
export { sendCompatPage } from './documentation-page.ts';
export { compatTable, type CompatRow } from './table.ts';
export type { MadePicture, Pictures, ReceivedPicture } from './pictures.ts';

/** Builds the application. Its code is loaded here, because most people never open its port. */
export const buildCompatApp = async (deps: CompatAppDeps) =>
  (await import('./compat-app.ts')).buildCompatApp(deps);
