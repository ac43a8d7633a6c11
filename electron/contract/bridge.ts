/**
 * The window's preload gives this to the page as `window.enlarger`; the messages behind it stand here, too. A browser
 * has none of it. The page names its tasks and never a file: the application looks up which file that is.
 */
import { Type, type Static } from 'typebox';
import { closed } from './common.ts';

/** The person chose this picture file, dropped it on the dock, or opened it with Enlarger. It may be submitted. */
export const GivenFile = closed({
  /** The file: URL is what a submit's imageUrl takes. */
  imageUrl: Type.String(),
  path: Type.String(),
  name: Type.String(),
  /** The file's folder is told inside the folder that was given, with forward slashes; '' means the file was given. */
  inFolder: Type.String(),
  sizeBytes: Type.Integer(),
  modifiedAt: Type.String(),
});
export type GivenFile = Static<typeof GivenFile>;

/** The menus ask these of the page. Shortcuts that the page handles itself must preventDefault their keydown. */
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

/** Of `hides`: closing the window the next time hides it, and nothing outside shows that work goes on. */
export type PageNotice = 'hides';

export const themes = ['system', 'dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** These photo editors hand a photo to `enlarger edit-in`. */
const photoEditors = ['lightroom', 'darktable'] as const;
export type PhotoEditor = (typeof photoEditors)[number];

const TaskId = Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\w-]+$' });
const LocalPath = Type.String({ minLength: 1, maxLength: 4096 });

/** The page calls the application with these arguments, which are checked before anything is done with them. */
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

/** Each call answers with this. It is called with arguments that its schema has passed. */
export interface BridgeAnswers {
  sessionKey: () => Promise<string>;
  chooseFolder: () => Promise<string | undefined>;
  chooseFiles: () => Promise<GivenFile[]>;
  grantFiles: (paths: string[]) => Promise<GivenFile[]>;
  showInFolder: (taskId: string) => Promise<void>;
  showFolder: (folder: string) => Promise<void>;
  openResult: (taskId: string) => Promise<void>;
  openResultWith: (taskId: string) => Promise<void>;
  copyResult: (taskId: string) => Promise<boolean>;
  prepareDrag: (taskIds: string[]) => Promise<void>;
  startDrag: (taskIds: string[]) => Promise<void>;
  setTheme: (theme: Theme) => Promise<void>;
  installEditor: (editor: PhotoEditor) => Promise<string>;
  /** The page hears of files from now on; what was given before is told now. */
  listen: () => Promise<void>;
}

/** The application tells the page of these. */
export interface BridgeEvents {
  files: GivenFile[];
  command: PageCommand;
  notice: PageNotice;
}

/** The page finds this as `window.enlarger`. A call that fails rejects with a sentence for the person. */
export interface Bridge {
  /** Answers a key for this window. Ask again when it is refused: the service may be another one now. */
  sessionKey(): Promise<string>;
  /** Opens the system's dialog for a folder, which is granted by choosing it; undefined when it was closed. */
  chooseFolder(): Promise<string | undefined>;
  /** Opens the system's dialog for pictures, which are granted by choosing them; empty when it was closed. */
  chooseFiles(): Promise<GivenFile[]>;
  /**
   * Does the same for what was dropped or pasted, so that no upload is needed. What is no file on a disk is left
   * out.
   */
  filesOf(files: readonly File[]): Promise<GivenFile[]>;
  /**
   * Tells of files that reach the application otherwise: by "Open with", the dock, the command line, a second start
   * or the menu. Those that were given before the page listened come first. The answer is the function that ends
   * it.
   */
  onFiles(listener: (files: GivenFile[]) => void): () => void;
  /** Tells what was chosen in the menus. The answer is the function that ends it. */
  onCommand(listener: (command: PageCommand) => void): () => void;
  /** Calls the listener with what the person should read in the page. Returns the function that ends it. */
  onNotice(listener: (notice: PageNotice) => void): () => void;
  /** Shows a result that was saved into a folder (the record's savedTo) in the system's file manager. */
  showInFolder(taskId: string): Promise<void>;
  /** Shows a folder that was granted in the system's file manager. */
  showFolder(folder: string): Promise<void>;
  /** Opens a result in the system's program for such pictures; one that was not saved is opened as a copy. */
  openResult(taskId: string): Promise<void>;
  /** Opens a result in a program that a dialog asks for. */
  openResultWith(taskId: string): Promise<void>;
  /** Copies the picture to the clipboard; false when it is neither PNG nor JPEG, or too large for it. */
  copyResult(taskId: string): Promise<boolean>;
  /** Fetches what startDrag needs, so that the drag begins at once. Call it in `pointerdown`. */
  prepareDrag(taskIds: readonly string[]): Promise<void>;
  /** Drags the files of these results to where they are dropped. Call it in `dragstart`, after preventDefault. */
  startDrag(taskIds: readonly string[]): Promise<void>;
  /** Menus and dialogs follow the page, and so does prefers-color-scheme. */
  setTheme(theme: Theme): Promise<void>;
  /** Puts what an editor needs to enlarge a photo twice into its folder, and answers the path of what was written. */
  installEditor(editor: PhotoEditor): Promise<string>;
}
