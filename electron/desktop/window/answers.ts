/** Handles the page's calls with dialogs, system programs, clipboard and drag-out. */
import {
  app,
  clipboard,
  ClipboardItem,
  dialog,
  nativeImage,
  shell,
  type BrowserWindow,
  type Item,
} from 'electron';
import type { Client } from '../../../packages/api-client/src/client.ts';
import type {
  BridgeAnswers,
  PickedFile,
  PhotoEditor,
  Theme,
} from '../../../packages/contract/src/bridge.ts';
import { assertGrantedFolder } from '../../../packages/files/src/granted.ts';
import { planOpenWith, programsOf, runCommand } from '../files/programs.ts';
import type { ResultFileAccess } from '../files/result-files.ts';

export interface AnswerDeps {
  window: BrowserWindow;
  client(): Client;
  /** Absolute. */
  dataDir: string;
  sessionKey(): Promise<string>;
  results: ResultFileAccess;
  grant(paths: string[]): Promise<void>;
  /** Grants the chosen paths, adds them to the recent ones, and returns their files. */
  openPaths(paths: string[]): Promise<PickedFile[]>;
  setTheme(theme: Theme): void;
  installEditor(editor: PhotoEditor): Promise<string>;
  onListening(): void;
}

/** Larger pictures are not copied, since the copy is decoded in this process's memory. */
const maxCopiedPixels = 50_000_000;

export function createAnswers({ window, ...deps }: AnswerDeps): BridgeAnswers {
  /** Item of the last pointerdown. */
  let prepared: { taskIds: string[]; item: Promise<Item> } | undefined;
  return {
    sessionKey: () => deps.sessionKey(),
    async chooseFolder() {
      const [folder] = await chooseFolders(window);
      if (folder !== undefined) await deps.grant([folder]);
      return folder;
    },
    chooseFiles: async () => deps.openPaths(await chooseFiles(window)),
    grantFiles: (paths) => deps.openPaths(paths),
    async showInFolder(taskId) {
      shell.showItemInFolder(await deps.results.savedFileOf(taskId));
    },
    async showFolder(folder) {
      const { grantedFolders } = await deps.client().settings();
      await openPath(await assertGrantedFolder(folder, [deps.dataDir, ...grantedFolders]));
    },
    openResult: async (taskId) => openPath(await deps.results.fileOf(taskId)),
    async openResultWith(taskId) {
      const program = await chooseProgram(window);
      if (program === undefined) return;
      const file = await deps.results.fileOf(taskId);
      await runCommand(planOpenWith(process.platform, program, file));
    },
    copyResult: (taskId) => copyResult(taskId, deps),
    async prepareDrag(taskIds) {
      prepared = { taskIds, item: readDragItem(taskIds, deps.results) };
      await prepared.item;
    },
    async startDrag(taskIds) {
      const isPrepared = prepared?.taskIds.join() === taskIds.join();
      const item = isPrepared ? prepared?.item : undefined;
      window.webContents.startDrag(await (item ?? readDragItem(taskIds, deps.results)));
    },
    setTheme(theme) {
      deps.setTheme(theme);
      return Promise.resolve();
    },
    installEditor: (editor) => deps.installEditor(editor),
    listen() {
      deps.onListening();
      return Promise.resolve();
    },
  };
}

async function readDragItem(taskIds: readonly string[], results: ResultFileAccess): Promise<Item> {
  const files = await Promise.all(taskIds.map((taskId) => results.fileOf(taskId)));
  const [file = ''] = files;
  return { file, files, icon: await app.getFileIcon(file) };
}

/** Empty if the dialog was cancelled. */
export async function chooseFolders(window: BrowserWindow): Promise<string[]> {
  const { filePaths } = await dialog.showOpenDialog(window, {
    defaultPath: app.getPath('pictures'),
    properties: ['openDirectory', 'createDirectory'],
  });
  return filePaths;
}

export async function chooseFiles(window: BrowserWindow): Promise<string[]> {
  const { filePaths } = await dialog.showOpenDialog(window, {
    defaultPath: app.getPath('pictures'),
    properties: ['openFile', 'multiSelections'],
  });
  return filePaths;
}

async function chooseProgram(window: BrowserWindow): Promise<string | undefined> {
  const { folder, endings } = programsOf(process.platform);
  const { filePaths } = await dialog.showOpenDialog(window, {
    defaultPath: folder,
    properties: ['openFile'],
    ...(endings.length > 0 && { filters: [{ name: '', extensions: endings }] }),
  });
  return filePaths[0];
}

async function openPath(file: string): Promise<void> {
  const problem = await shell.openPath(file);
  if (problem !== '') throw new Error(problem);
}

async function copyResult(
  taskId: string,
  { client, results }: Pick<AnswerDeps, 'client' | 'results'>,
): Promise<boolean> {
  const { output } = await client().record(taskId);
  if (output === undefined || !['png', 'jpeg'].includes(output.format)) return false;
  if (output.width * output.height > maxCopiedPixels) return false;
  const image = nativeImage.createFromPath(await results.fileOf(taskId));
  if (image.isEmpty()) return false;
  const png = new Blob([Uint8Array.from(image.toPNG())], { type: 'image/png' });
  await clipboard.write([new ClipboardItem({ 'image/png': png })]);
  return true;
}
