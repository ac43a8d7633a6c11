/** Collects paths that the system hands to the application, from before it is ready until it ends. */
import { app } from 'electron';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** A second start hands over this. The event's argv is not used, because Chromium reorders it. */
const Handed = Type.Object({ paths: Type.Array(Type.String()) });

/** Answers false when another instance runs, which has been given the paths. */
export function beTheOnlyOne(paths: string[]): boolean {
  return app.requestSingleInstanceLock({ paths });
}

/**
 * Collects paths, and must be called before the application is ready. Each list of paths is passed on once
 * there is a listener, also an empty one, because a second start without files wants to see the window.
 */
export function collectPaths(first: readonly string[]): (listener: Listener) => void {
  const waiting: string[][] = first.length > 0 ? [[...first]] : [];
  let tell: Listener = (paths) => void waiting.push(paths);
  // macOS sends this event for "Open with" and for files dropped on the dock.
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
