/** What the menus of the application and the buttons of the page may ask for. */
import type { PageCommand } from '../../electron/contract/bridge.ts';
import type { Queue } from './queue.svelte.ts';

/** Dialogs over the page, and the settings, which are only gone to. */
export type Sheets =
  'connect' | 'models' | 'modelsToGet' | 'pool' | 'presets' | 'watch' | 'shortcuts' | 'settings';

export function runCommand(
  command: PageCommand,
  queue: Queue,
  open: (sheet: Sheets) => void,
): void {
  switch (command) {
    case 'start':
      return void queue.start();
    case 'removeSelected':
      return void queue.removeRows(queue.selection);
    case 'undoRemoval':
      return void queue.undoRemoval();
    case 'retryFailed':
      return void queue.retryFailed();
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
