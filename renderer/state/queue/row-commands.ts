/** Lists what can be done to the chosen rows, for their menus. */
import type { TextName } from '../../text/catalogue.ts';
import { text } from '../../text/text.ts';
import type { Queue } from './queue.svelte.ts';
import { sourceAgain } from '../photo/touchable.ts';
import { canMove } from './list-order.ts';

interface RowCommand {
  name: Extract<
    TextName,
    'selectAll' | 'addAgain' | 'moveFirst' | 'moveUp' | 'moveDown' | 'retry' | 'cancel' | 'remove'
  >;
  /** The keys are written as on the shortcut dialog. */
  keys?: string;
  isPossible: boolean;
  /** Why it is not possible, where that is not plain from the row. */
  reason?: string;
  run: () => void;
}

export function rowCommands(queue: Queue): RowCommand[] {
  const rows = queue.selection;
  const canReorder = rows.some(canMove);
  return [
    {
      name: 'addAgain',
      isPossible: rows.some((photo) => sourceAgain(photo) !== undefined),
      reason: text.runAgainGone(rows.length),
      run: () => queue.addAgain(rows),
    },
    {
      name: 'moveFirst',
      isPossible: canReorder,
      run: () => void queue.moveToFront(rows),
    },
    {
      name: 'moveUp',
      keys: 'Alt+↑',
      isPossible: canReorder,
      run: () => void queue.moveBy(rows, -1),
    },
    {
      name: 'moveDown',
      keys: 'Alt+↓',
      isPossible: canReorder,
      run: () => void queue.moveBy(rows, 1),
    },
    {
      name: 'retry',
      keys: 'r',
      isPossible: rows.some(({ canRetry }) => canRetry),
      run: () => void queue.retry(rows),
    },
    {
      name: 'cancel',
      isPossible: rows.some(({ isActive }) => isActive),
      run: () => void queue.cancel(rows.flatMap((photo) => queue.versionsOf(photo))),
    },
    {
      name: 'remove',
      keys: 'Delete',
      isPossible: rows.length > 0,
      run: () => void queue.removeRows(rows),
    },
    {
      name: 'selectAll',
      keys: 'Ctrl+A',
      isPossible: queue.shown.length > 0,
      run: () => queue.chooseShown(),
    },
  ];
}
