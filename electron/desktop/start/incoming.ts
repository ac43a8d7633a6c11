/** Collects paths that the system hands to the application, from before it is ready until it ends. */
import { app } from 'electron';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readStartArguments } from './start-arguments.ts';

/** Data from a second start to the first. */
const HandedOver = Type.Object({ paths: Type.String() });
const Paths = Type.Array(Type.String());

/**
 * Returns false if another instance runs, which has then received the paths. They travel as ASCII: Electron
 * drops the whole object if a string contains other characters (33.2.1 on Linux: null arrives).
 */
export function requestOnlyInstance(paths: readonly string[]): boolean {
  return app.requestSingleInstanceLock({ paths: encodeURIComponent(JSON.stringify(paths)) });
}

/**
 * Must be called before the application is ready. Each list of paths is passed on once there is a listener,
 * even an empty one: a second start without files wants to see the window.
 */
export function collectPaths(first: readonly string[]): (listener: Listener) => void {
  const waiting: string[][] = first.length > 0 ? [[...first]] : [];
  let emit: Listener = (paths) => void waiting.push(paths);
  // macOS: "Open with", and files dropped on the dock.
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
    // Format of another version.
    return undefined;
  }
}

/**
 * Paths from a second start's arguments. Second choice, because Chromium adds switches and moves its own to
 * the front.
 */
function pathsOfStart(argv: readonly string[], cwd: string): string[] {
  return readStartArguments(argv, { cwd, isPackaged: app.isPackaged }).paths;
}

type Listener = (paths: string[]) => void;
