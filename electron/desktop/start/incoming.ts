/** Paths that the system hands to the application, from before it is ready until it ends. */
import { app } from 'electron';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** What a second start hands over. Its own argv is not used: Chromium sorts that of the event anew. */
const Handed = Type.Object({ paths: Type.Array(Type.String()) });

/** False: another instance runs, and has been given the paths. */
export function beTheOnlyOne(paths: string[]): boolean {
  return app.requestSingleInstanceLock({ paths });
}

/**
 * Call before the application is ready. Each giving is told once there is a listener, an empty one too: a
 * second start without files wants to see the window.
 */
export function collectPaths(first: readonly string[]): (listener: Listener) => void {
  const waiting: string[][] = first.length > 0 ? [[...first]] : [];
  let tell: Listener = (paths) => void waiting.push(paths);
  // "Open with" and the dock on macOS.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    tell([path]);
  });
  app.on('second-instance', (_event, _argv, _cwd, handed) => {
    tell(Value.Check(Handed, handed) ? handed.paths : []);
  });
  return (listener) => {
    tell = listener;
    waiting.splice(0).forEach(listener);
  };
}

type Listener = (paths: string[]) => void;
