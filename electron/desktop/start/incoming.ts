/** Collects paths that the system hands to the application, from before it is ready until it ends. */
import { app } from 'electron';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readStartArguments } from './start-arguments.ts';

/** What a second start hands to the first. */
const HandedOver = Type.Object({ paths: Type.String() });
const Paths = Type.Array(Type.String());

/**
 * Returns false when another instance runs, which has been given the paths. They travel as ASCII: Electron
 * loses the whole object when a string in it has other letters (33.2.1 on Linux: null arrives).
 */
export function requestOnlyInstance(paths: readonly string[]): boolean {
  return app.requestSingleInstanceLock({ paths: encodeURIComponent(JSON.stringify(paths)) });
}

/**
 * Collects paths, and must be called before the application is ready. Each list of paths is passed on once
 * there is a listener, also an empty one, because a second start without files wants to see the window.
 */
export function collectPaths(first: readonly string[]): (listener: Listener) => void {
  const waiting: string[][] = first.length > 0 ? [[...first]] : [];
  let emit: Listener = (paths) => void waiting.push(paths);
  // macOS sends this event for "Open with" and for files dropped on the dock.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    emit([path]);
  });
  app.on('second-instance', (_event, argv, cwd, handedOver) => {
    emit(readHandedOver(handedOver) ?? pathsOfStart(argv, cwd));
  });
  return (listener) => {
    emit = listener;
    waiting.splice(0).forEach(listener);
  };
}

function readHandedOver(handedOver: unknown): string[] | undefined {
  if (!Value.Check(HandedOver, handedOver)) return undefined;
  try {
    const paths: unknown = JSON.parse(decodeURIComponent(handedOver.paths));
    return Value.Check(Paths, paths) ? paths : undefined;
  } catch {
    // Another version's way.
    return undefined;
  }
}

/**
 * Reads the paths from the arguments of a second start. Chromium puts switches of its own among them and its
 * switches before the rest, so they are the second choice.
 */
function pathsOfStart(argv: readonly string[], cwd: string): string[] {
  return readStartArguments(argv, { cwd, isPackaged: app.isPackaged }).paths;
}

type Listener = (paths: string[]) => void;
