/** The last moment to say no, before the application quits or the machine sleeps by itself. */
import { dialog, type BrowserWindow } from 'electron';
import type { Text } from './text.ts';
import { graceSeconds, type Ending } from './when-done.ts';

/** True when nobody said no in time. The window has to be there: on macOS nothing else closes the dialog. */
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
