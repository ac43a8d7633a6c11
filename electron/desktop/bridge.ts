/** Answers the page's calls. Only the page of this service, in the top frame of its window, is heard. */
import { dialog, ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron';
import type { Bridge } from '../contract/bridge.ts';
import { bridgeCalls, channelOf } from './channels.ts';

export interface BridgeOptions {
  window: BrowserWindow;
  /** Of the service: the only one whose pages may call. */
  origin: string;
  sessionKey: string;
}

/** Returns a function that shuts the door. */
export function serveBridge(options: BridgeOptions): () => void {
  const answers: Bridge = {
    sessionKey: () => Promise.resolve(options.sessionKey),
    chooseFolder: () => chooseFolder(options.window),
  };
  for (const call of bridgeCalls)
    ipcMain.handle(channelOf(call), (event) => {
      assertOwnPage(event, options);
      return answers[call]();
    });
  return () => {
    for (const call of bridgeCalls) ipcMain.removeHandler(channelOf(call));
  };
}

function assertOwnPage(event: IpcMainInvokeEvent, { window, origin }: BridgeOptions): void {
  const frame = event.senderFrame;
  const isTop = frame === window.webContents.mainFrame;
  if (!isTop || frame.origin !== origin) throw new Error('This page may not call the application.');
}

async function chooseFolder(window: BrowserWindow): Promise<string | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openDirectory', 'createDirectory'],
  });
  return canceled ? undefined : filePaths[0];
}
