/**
 * `window.enlarger`: the preload's interface for the page, and the messages behind it. Absent in a browser.
 * The page names tasks, never files: the application looks up their files.
 */
import { Type, type Static } from 'typebox';
import { closed } from './common.ts';

/**
 * A picture file that the person chose, dropped on the dock, or opened with Enlarger. It may be submitted.
 */
export const PickedFile = closed({
  /** file: URL for a submit's imageUrl. */
  imageUrl: Type.String(),
  path: Type.String(),
  name: Type.String(),
  /**
   * Folder of the file relative to the chosen folder, with forward slashes; '' for a file chosen by itself.
   */
  inFolder: Type.String(),
  sizeBytes: Type.Integer(),
  modifiedAt: Type.String(),
});
export type PickedFile = Static<typeof PickedFile>;

/** Menu commands for the page. Shortcuts that the page handles itself must preventDefault their keydown. */
export type PageCommand =
  | 'start'
  | 'removeSelected'
  | 'undoRemoval'
  | 'retryFailed'
  | 'removeFinished'
  | 'settings'
  | 'models'
  | 'watch'
  | 'connect'
  | 'shortcuts';

/** `hides`: the next closing of the window hides it while work continues, and nothing outside shows that. */
export type PageNotice = 'hides';

export const themes = ['system', 'dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** Editors that pass photos to `enlarger edit-in`. */
const photoEditors = ['lightroom', 'darktable'] as const;
export type PhotoEditor = (typeof photoEditors)[number];

const TaskId = Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\w-]+$' });
const LocalPath = Type.String({ minLength: 1, maxLength: 4096 });

/** Arguments of the page's calls to the application, validated before use. */
export const bridgeCalls = {
  sessionKey: Type.Tuple([]),
  chooseFolder: Type.Tuple([]),
  chooseFiles: Type.Tuple([]),
  grantFiles: Type.Tuple([Type.Array(LocalPath, { maxItems: 20_000 })]),
  showInFolder: Type.Tuple([TaskId]),
  showFolder: Type.Tuple([LocalPath]),
  openResult: Type.Tuple([TaskId]),
  openResultWith: Type.Tuple([TaskId]),
  copyResult: Type.Tuple([TaskId]),
  prepareDrag: Type.Tuple([Type.Array(TaskId, { minItems: 1, maxItems: 100 })]),
  startDrag: Type.Tuple([Type.Array(TaskId, { minItems: 1, maxItems: 100 })]),
  setTheme: Type.Tuple([Type.Enum([...themes])]),
  installEditor: Type.Tuple([Type.Enum([...photoEditors])]),
  listen: Type.Tuple([]),
} as const;
export type BridgeCall = keyof typeof bridgeCalls;
export type BridgeArguments<Call extends BridgeCall> = Static<(typeof bridgeCalls)[Call]>;

/** Handlers of the calls; arguments have passed their schema. */
export interface BridgeAnswers {
  sessionKey: () => Promise<string>;
  chooseFolder: () => Promise<string | undefined>;
  chooseFiles: () => Promise<PickedFile[]>;
  grantFiles: (paths: string[]) => Promise<PickedFile[]>;
  showInFolder: (taskId: string) => Promise<void>;
  showFolder: (folder: string) => Promise<void>;
  openResult: (taskId: string) => Promise<void>;
  openResultWith: (taskId: string) => Promise<void>;
  copyResult: (taskId: string) => Promise<boolean>;
  prepareDrag: (taskIds: string[]) => Promise<void>;
  startDrag: (taskIds: string[]) => Promise<void>;
  setTheme: (theme: Theme) => Promise<void>;
  installEditor: (editor: PhotoEditor) => Promise<string>;
  /** Starts file events; files received before are sent now. */
  listen: () => Promise<void>;
}

/** Events from the application to the page. */
export interface BridgeEvents {
  files: PickedFile[];
  command: PageCommand;
  notice: PageNotice;
}

/** The page's `window.enlarger`. A failed call rejects with a sentence for the person. */
export interface Bridge {
  /** Session key of this window. Call again when a key is refused: the service may have been restarted. */
  sessionKey(): Promise<string>;
  /** Opens the system's folder dialog and grants the chosen folder; undefined if cancelled. */
  chooseFolder(): Promise<string | undefined>;
  /** Opens the system's file dialog and grants the chosen pictures; empty if cancelled. */
  chooseFiles(): Promise<PickedFile[]>;
  /**
   * Grants dropped or pasted files, so that they need no upload. Anything that is no file on a disk is
   * omitted.
   */
  filesOf(files: readonly File[]): Promise<PickedFile[]>;
  /**
   * Files that reach the application otherwise: "Open with", dock, command line, second start, menu. Files
   * received before the page listened come first.
   * @returns the function that unsubscribes
   */
  onFiles(listener: (files: PickedFile[]) => void): () => void;
  /** Menu commands. @returns the function that unsubscribes */
  onCommand(listener: (command: PageCommand) => void): () => void;
  /** Notices that the page shows. @returns the function that unsubscribes */
  onNotice(listener: (notice: PageNotice) => void): () => void;
  /** Shows an exported result (the record's savedTo) in the system's file manager. */
  showInFolder(taskId: string): Promise<void>;
  /** Shows a granted folder in the system's file manager. */
  showFolder(folder: string): Promise<void>;
  /** Opens a result in the system's default program; a copy, if it was not exported. */
  openResult(taskId: string): Promise<void>;
  /** Opens a result in a program chosen in a dialog. */
  openResultWith(taskId: string): Promise<void>;
  /** Copies the picture to the clipboard; false if it is neither PNG nor JPEG, or too large. */
  copyResult(taskId: string): Promise<boolean>;
  /** Fetches the files for startDrag, so that the drag starts at once. Call it in `pointerdown`. */
  prepareDrag(taskIds: readonly string[]): Promise<void>;
  /** Drags the results' files out of the window. Call it in `dragstart`, after preventDefault. */
  startDrag(taskIds: readonly string[]): Promise<void>;
  /** Sets the theme of menus and dialogs, and prefers-color-scheme. */
  setTheme(theme: Theme): Promise<void>;
  /** Installs the plug-in for an editor. @returns the path of what was written */
  installEditor(editor: PhotoEditor): Promise<string>;
}
