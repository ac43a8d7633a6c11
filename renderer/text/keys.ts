/** Names keys as this system and language write them. */
import { text } from './text.ts';

const isMac = /mac/i.test(navigator.userAgent);
/** The system that the page is shown on; its service runs there, too. */
export const system = isMac ? 'mac' : /windows/i.test(navigator.userAgent) ? 'windows' : 'linux';

const names: Record<string, string> = {
  Ctrl: isMac ? '⌘' : text.ctrl,
  Alt: isMac ? '⌥' : text.alt,
  Shift: isMac ? '⇧' : text.shift,
  Space: text.space,
  Home: text.home,
  End: text.end,
  Delete: isMac ? '⌫' : text.deleteKey,
  Esc: text.escape,
  Enter: text.enter,
};

/** Splits a combination such as "Ctrl+A" into the names of its keys; "+" alone is the key itself. */
export function keyNames(combination: string): string[] {
  if (combination === '+') return [combination];
  return combination.split('+').map((key) => names[key] ?? key.toLocaleUpperCase());
}
