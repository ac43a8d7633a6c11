/** What the person is asked about updates: once whether to look for them, and when to start a newer version. */
import { dialog, type BrowserWindow } from 'electron';
import type { Text } from '../text.ts';

/** Closing the dialog is a no. */
export async function askConsent(window: BrowserWindow, text: Text): Promise<boolean> {
  return ask(window, {
    message: text.mayUpdate,
    detail: text.mayUpdateDetail,
    buttons: [text.allow, text.deny],
  });
}

/** Closing the dialog leaves the present version running. */
export async function askRestart(
  window: BrowserWindow,
  text: Text,
  { version, notes }: { version: string; notes: string },
): Promise<boolean> {
  return ask(window, {
    message: text.updateReady(version),
    detail: notes,
    buttons: [text.restart, text.later],
  });
}

async function ask(
  window: BrowserWindow,
  box: { message: string; detail: string; buttons: [yes: string, no: string] },
): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, { ...box, defaultId: 0, cancelId: 1 });
  return response === 0;
}
