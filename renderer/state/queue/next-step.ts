/** Decides which action of the page is the primary one. It is pure. */
import { text } from '../../text/text.ts';

/**
 * `again` runs photos once more by changed settings; `open` opens the folder of the results; at `none` a person
 * decides.
 */
export type NextStep = 'add' | 'start' | 'again' | 'pause' | 'resume' | 'save' | 'open' | 'none';

interface Standing {
  photoCount: number;
  /** Photos that can be started at all, and those among the chosen ones. */
  startableCount: number;
  chosenStartableCount: number;
  activeCount: number;
  isPaused: boolean;
  /** Results that are saved nowhere and were not rejected. */
  unsavedCount: number;
  /** Save would save the chosen results, each of which was rejected. */
  isRejectedChosen: boolean;
  /** Chosen photos that can be run again. */
  repeatableCount: number;
  /** Settings of chosen photos were changed after these had been begun. */
  hasChanges: boolean;
  /** A result lies in a folder that this window can open. */
  canOpenFolder: boolean;
}

export function nextStep(standing: Standing): NextStep {
  const { photoCount, startableCount, chosenStartableCount, activeCount } = standing;
  if (photoCount === 0) return 'add';
  if (standing.hasChanges) return 'again';
  if (chosenStartableCount > 0 || (startableCount > 0 && activeCount === 0)) return 'start';
  if (activeCount > 0) return standing.isPaused ? 'resume' : 'pause';
  if (standing.isRejectedChosen) return standing.repeatableCount > 0 ? 'again' : 'none';
  if (standing.unsavedCount > 0) return 'save';
  return standing.canOpenFolder ? 'open' : 'add';
}

/** Words of the button that starts photos. */
export function startText({
  toStart,
  startable,
}: Readonly<Record<'toStart' | 'startable', readonly unknown[]>>): string {
  return toStart.length < startable.length
    ? text.startChosen(toStart.length)
    : text.start(startable.length);
}

/** Words of a paused queue: photos that run are finished first. */
export function pausedText(inQueue: readonly { readonly phase: string }[]): string {
  const running = inQueue.filter(({ phase }) => phase === 'PROCESSING').length;
  return running > 0 ? text.pausedAfter(running) : text.paused;
}
