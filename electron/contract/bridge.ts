/**
 * What the window's preload gives to the page as `window.enlarger`, and the messages behind it. A browser
 * has none of it. The page names its tasks and never a file: which file that is, the application looks up.
 */
import { Type, type Static } from 'typebox';
import { closed } from './common.ts';

/** A picture file that the person chose, dropped on the dock, or opened with Enlarger. It may be submitted. */
export const GivenFile = closed({
  /** file:, as a submit's imageUrl takes it. */
  imageUrl: Type.String(),
  path: Type.String(),
  name: Type.String(),
  /** Path of its folder inside the folder that was given, with forward slashes; '' when it was given itself. */
  inFolder: Type.String(),
  sizeBytes: Type.Integer(),
  modifiedAt: Type.String(),
});
export type GivenFile = Static<typeof GivenFile>;

/** What the menus ask of the page. Shortcuts that the page handles itself must preventDefault their keydown. */
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

export const themes = ['system', 'dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** Photo editors that hand a photo to `enlarger edit-in`. */
const photoEditors = ['lightroom', 'darktable'] as const;
export type PhotoEditor = (typeof photoEditors)[number];

const TaskId = Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\w-]+$' });
const LocalPath = Type.String({ minLength: 1, maxLength: 4096 });

/** From the page to the application: the arguments of each call, checked before anything is done with them. */
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
  startDrag: Type.Tuple([Type.Array(TaskId, { minItems: 1, maxItems: 100 })]),
  setTheme: Type.Tuple([Type.Enum([...themes])]),
  installEditor: Type.Tuple([Type.Enum([...photoEditors])]),
  listen: Type.Tuple([]),
} as const;
export type BridgeCall = keyof typeof bridgeCalls;
export type BridgeArguments<Call extends BridgeCall> = Static<(typeof bridgeCalls)[Call]>;

/** What each call answers with. Called with arguments that its schema has passed. */
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
  startDrag: (taskIds: string[]) => Promise<void>;
  setTheme: (theme: Theme) => Promise<void>;
  installEditor: (editor: PhotoEditor) => Promise<string>;
  /** The page hears from now on; what was given before is told now. */
  listen: () => Promise<void>;
}

/** From the application to the page. */
export interface BridgeEvents {
  files: GivenFile[];
  command: PageCommand;
}

/** `window.enlarger`. A call that fails rejects with a sentence for the person. */
export interface Bridge {
  /** A key for this window. Ask again when it is refused: the service may be another one now. */
  sessionKey(): Promise<string>;
  /** The system's dialog for a folder, which is granted by choosing it. Undefined: closed without choosing. */
  chooseFolder(): Promise<string | undefined>;
  /** The system's dialog for pictures, granted by choosing them. Empty: closed without choosing. */
  chooseFiles(): Promise<GivenFile[]>;
  /** The same for what was dropped or pasted: no upload is needed. Leaves out what is no file on a disk. */
  filesOf(files: readonly File[]): Promise<GivenFile[]>;
  /**
   * Files that reach the application otherwise: "Open with", the dock, the command line, a second start, the
   * menu. Those given before the page listened come first. Answers the function that ends it.
   */
  onFiles(listener: (files: GivenFile[]) => void): () => void;
  /** What was chosen in the menus. Answers the function that ends it. */
  onCommand(listener: (command: PageCommand) => void): () => void;
  /** Of a result that was saved into a folder (the record's savedTo). */
  showInFolder(taskId: string): Promise<void>;
  /** A folder that was granted, in the system's file manager. */
  showFolder(folder: string): Promise<void>;
  /** In the system's program for such pictures; a result that was not saved is opened as a copy. */
  openResult(taskId: string): Promise<void>;
  /** In a program that a dialog asks for. */
  openResultWith(taskId: string): Promise<void>;
  /** The picture to the clipboard. False: not a PNG or JPEG, or too large for it. */
  copyResult(taskId: string): Promise<boolean>;
  /** To be called in `dragstart`, after preventDefault: the files of these results go to where they are dropped. */
  startDrag(taskIds: readonly string[]): Promise<void>;
  /** Menus and dialogs follow the page, and so does prefers-color-scheme. */
  setTheme(theme: Theme): Promise<void>;
  /** Puts what the editor needs to enlarge a photo twice into its folder. Answers the path of what was written. */
  installEditor(editor: PhotoEditor): Promise<string>;
}
