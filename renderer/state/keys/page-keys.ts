/**
 * Declares what the page can be asked for wherever the focus is: by its shortcuts, which the dialog under "?"
 * lists, by the menus of the application and by its buttons.
 */
import { focusList } from './list-keys.ts';
import { isTakenKey, viewerShortcuts, touchUpShortcuts, type Shortcut } from './stage-keys.ts';
import type { Queue } from '../queue/queue.svelte.ts';
import type { Editor } from '../settings/editor.svelte.ts';
import type { Saver } from '../export/saver.svelte.ts';
import type { TouchUp } from '../touch-up/touch-up.svelte.ts';
import type { PageCommand } from '../../../packages/contract/src/bridge.ts';

export const pageShortcuts = [
  { keys: ['Ctrl+O'], name: 'keyAddFiles' },
  { keys: ['Ctrl+Shift+O'], name: 'addFolder' },
  { keys: ['Ctrl+V'], name: 'keyPaste' },
  { keys: ['Ctrl+Enter'], name: 'keyStart' },
  { keys: ['p'], name: 'keyPause' },
  { keys: ['Ctrl+S'], name: 'keySave' },
  { keys: ['Ctrl+Z'], name: 'keyUndo' },
  { keys: ['/'], name: 'search' },
  { keys: ['q'], name: 'keyList' },
  { keys: ['s'], name: 'keySettings' },
  { keys: ['?'], name: 'keySheet' },
] as const satisfies readonly Shortcut[];

export const queueShortcuts = [
  { keys: ['↑', '↓'], name: 'keyMove' },
  { keys: ['Home', 'End'], name: 'keyEnds' },
  { keys: ['Shift+↑', 'Shift+↓'], name: 'keyExtend' },
  { keys: ['Space'], name: 'keyToggle' },
  { keys: ['Ctrl+A'], name: 'selectAll' },
  { keys: ['Esc'], name: 'keyNone' },
  { keys: ['Alt+↑', 'Alt+↓'], name: 'keyReorder' },
  { keys: ['Shift+F10'], name: 'keyMenu' },
  { keys: ['r'], name: 'retry' },
  { keys: ['v', 'Shift+V'], name: 'keyVersion' },
  { keys: ['Delete'], name: 'keyRemove' },
] as const satisfies readonly Shortcut[];

export const pictureShortcuts = [
  ...viewerShortcuts,
  { keys: ['←', '→', '↑', '↓'], name: 'keyPan' },
  { keys: ['Enter'], name: 'keyTryPlace' },
  { keys: ['Esc'], name: 'keyTryEnd' },
] as const satisfies readonly Shortcut[];

/** All that keys mean while a photo is touched up, where some mean something else than without. */
export const brushShortcuts = [
  ...touchUpShortcuts,
  { keys: ['Ctrl+Z'], name: 'undo' },
  { keys: ['Esc'], name: 'keyTouchUpEnd' },
] as const satisfies readonly Shortcut[];

/** Something that can be undone. */
export interface Undoable {
  /** On the page's clock. */
  readonly sinceMs: number;
  readonly undo: () => void;
}

/** The keys act on these parts. */
interface PageParts {
  queue: Queue;
  editor: Pick<Editor, 'undoable'>;
  touchUp: TouchUp;
  saver: Pick<Saver, 'save'>;
  /** What the shown message offers to undo. */
  undo: Undoable | undefined;
  open: (dialog: DialogName) => void;
}

/**
 * Handles a key of the page; must be called before other listeners. Keys without Ctrl can be turned off, because
 * speech input and a heavy hand press them unintentionally.
 */
export function pressPageKey(event: KeyboardEvent, hasSingleKeys: boolean, parts: PageParts): void {
  const isControl = event.ctrlKey || event.metaKey;
  const isSingle = !isControl && !event.altKey && event.key.length === 1;
  if (isSingle && event.key !== ' ' && !hasSingleKeys) {
    if (!isTakenKey(event)) event.stopImmediatePropagation();
    return;
  }
  const action = isControl
    ? controlActions[`${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}`]
    : isTakenKey(event)
      ? undefined
      : singleActions[event.key.toLowerCase()];
  if (action === undefined || (isControl && isTyping(event) && event.key !== 'Enter')) return;
  event.preventDefault();
  action(parts, event);
}

type PageAction = (parts: PageParts, event: KeyboardEvent) => void;

const controlActions: Record<string, PageAction> = {
  enter({ queue }) {
    // What is being typed counts: a field hands it over when it loses the focus.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    void queue.start();
  },
  z: undoLast,
  'shift+z': ({ touchUp }) => {
    if (touchUp.isOn) touchUp.redo();
  },
  y: ({ touchUp }) => {
    if (touchUp.isOn) touchUp.redo();
  },
  s: ({ queue: { selection }, saver }) => {
    const finished = selection.filter(({ phase }) => phase === 'FINISHED');
    if (finished.length > 0) void saver.save(finished);
  },
  a: ({ queue }) => {
    queue.chooseShown();
    focusList();
  },
  o: () => document.getElementById('add-photos')?.click(),
  'shift+o': () => document.getElementById('add-folder')?.click(),
};

/**
 * Undoes the latest of what the shown message is about, or one that has gone was, and a mark, which has no message where
 * it was set for one photo. While a person paints, the last action was a stroke.
 */
function undoLast({ queue, editor: { undoable }, touchUp, undo }: PageParts): void {
  if (touchUp.isOn && (touchUp.canUndo || undo === undefined)) {
    touchUp.undo();
    return;
  }
  const { last } = queue.removals;
  const removal = last && { sinceMs: last.sinceMs, undo: () => void queue.undoRemoval() };
  const all = [undo, undoable, queue.lastJudgement, removal].filter((one) => one !== undefined);
  all.toSorted((one, other) => other.sinceMs - one.sinceMs)[0]?.undo();
}

const singleActions: Record<string, PageAction> = {
  p: ({ queue }) => void queue.setPaused(!queue.isPaused),
  '/': () => document.getElementById('search')?.focus(),
  q: focusList,
  s: ({ open }) => open('settings'),
  v: ({ queue }, event) => queue.stepVersion(event.shiftKey ? -1 : 1),
  '?': ({ open }) => open('shortcuts'),
};

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    target.closest('input[type=text], input[type=search], input[type=number], textarea') !== null
  );
}

/** DialogName are the dialogs over the page, and the settings, which are part of it and only get the focus. */
export type DialogName =
  | 'appearance'
  | 'connect'
  | 'models'
  | 'availableModels'
  | 'pool'
  | 'presets'
  | 'storage'
  | 'watch'
  | 'shortcuts'
  | 'settings';

export function runCommand(
  command: PageCommand,
  queue: Queue,
  open: (dialog: DialogName) => void,
): void {
  switch (command) {
    case 'start':
      return void queue.start();
    case 'removeSelected':
      return void queue.removeRows(queue.selection);
    case 'undoRemoval':
      return void queue.undoRemoval();
    case 'retryFailed':
      return void queue.retry(queue.failed);
    case 'removeFinished':
      return void queue.clearFinished();
    case 'settings':
    case 'watch':
    case 'models':
    case 'connect':
    case 'shortcuts':
      open(command);
  }
}
