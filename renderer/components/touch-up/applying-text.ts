/** Words what becomes of the strokes that were applied. */
import { phaseText } from '../../state/photo/phase.ts';
import type { TouchUp } from '../../state/touch-up/touch-up.svelte.ts';
import { text } from '../../text/text.ts';

export function applyingText({ waitsFor, awaited, paintsArea }: TouchUp): string {
  if (waitsFor === 'queue') return text.applyWaits;
  const words = waitsFor
    ? text.applyWaitsFor(waitsFor.name)
    : paintsArea
      ? text.paintAreaApplying
      : text.strokesRefining;
  const running = waitsFor ?? awaited;
  return running?.phase === 'PROCESSING'
    ? `${words} (${phaseText(running, undefined, false)})`
    : words;
}
