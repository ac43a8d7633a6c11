/** The package's only entry: the application imports nothing else. */
export { runCommandLine } from './start.ts';
export type { Programs } from './connect.ts';
export { installEditor } from './editors/install-editor.ts';
