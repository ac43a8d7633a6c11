/** System dialogs: before the application ends by itself, and about updates. */
import { dialog, type BrowserWindow } from 'electron';
import type { Text } from '../text.ts';
import { graceSeconds, type Ending } from '../queue/when-done.ts';

/**
 * True unless cancelled in time. The dialog needs a window: on macOS the signal closes only a window's
 * dialog.
 */
export async function askBeforeEnding(
  window: BrowserWindow,
  ending: Exclude<Ending, 'nothing'>,
  text: Text,
): Promise<boolean> {
  const grace = AbortSignal.timeout(graceSeconds * 1000);
  const { response } = await dialog.showMessageBox(window, {
    message: text.endingSoon[ending](graceSeconds),
    buttons: [text.now, text.cancel],
    defaultId: 0,
    cancelId: 1,
    signal: grace,
  });
  return grace.aborted || response === 0;
}

/** Consent to update checks; closing the dialog means no. */
export async function askConsent(window: BrowserWindow, text: Text): Promise<boolean> {
  return ask(window, {
    message: text.mayUpdate,
    detail: text.mayUpdateDetail,
    buttons: [text.allow, text.deny],
  });
}

/** Whether to start the new version; closing the dialog means later. */
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
