/** The stage's shortcuts: what the sheet under "?" lists and what the stage obeys. */
import type { TextName } from '../text/catalogue.ts';
import type { Look } from './look.svelte.ts';
import type { Viewport } from './viewport.svelte.ts';

export interface Shortcut {
  /** As KeyboardEvent.key has them, lower case. */
  readonly keys: readonly string[];
  readonly name: TextName;
}

export const lookShortcuts = [
  { keys: ['b'], name: 'keyBefore' },
  { keys: ['c'], name: 'keyCompare' },
  { keys: ['t'], name: 'keyTry' },
  { keys: ['z'], name: 'keyFit' },
  { keys: ['0'], name: 'fit' },
  { keys: ['1'], name: 'keyActual' },
  { keys: ['+', '='], name: 'zoomIn' },
  { keys: ['-'], name: 'zoomOut' },
] as const satisfies readonly Shortcut[];

/** Keys that belong to what has the focus: fields, menus, dialogs and lists. */
export function isTakenKey(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!(target instanceof Element)) return false;
  return target.closest(taken) !== null;
}

/** A radio button, a checkbox or a slider hears no letters. */
const taken =
  'input:not([type=radio], [type=checkbox], [type=range]), select, textarea, [role=dialog], [role=menu]';

/** Whether the key was one of the stage's. */
export function pressLookKey(key: string, look: Look, viewport: Viewport): boolean {
  const action = actions[key.toLowerCase()];
  action?.(look, viewport);
  return action !== undefined;
}

const actions: Record<string, (look: Look, viewport: Viewport) => void> = {
  b: (look) => (look.holdsBefore = true),
  c: (look) => look.nextMode(),
  t: (look) => (look.isTrying = !look.isTrying),
  z: (_, viewport) => (viewport.isFit ? viewport.zoomTo(1) : viewport.fit()),
  0: (_, viewport) => viewport.fit(),
  1: (_, viewport) => viewport.zoomTo(1),
  '+': (_, viewport) => viewport.zoomBy(1),
  '=': (_, viewport) => viewport.zoomBy(1),
  '-': (_, viewport) => viewport.zoomBy(-1),
};
