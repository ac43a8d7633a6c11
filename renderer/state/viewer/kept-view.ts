/** Remembers in this tab where a photo was zoomed into, so that a reload keeps it. */
import type { View } from './viewport.svelte.ts';

const storageName = 'enlarger.view';

interface KeptView extends View {
  /** The photo's key. */
  readonly key: string;
}

/** Notes the view of a photo; must be called when the page is left. */
export const keepView = (view: KeptView): void =>
  sessionStorage.setItem(storageName, JSON.stringify(view));

/** Takes the noted view. */
export function takeView(): KeptView | undefined {
  const kept = sessionStorage.getItem(storageName);
  sessionStorage.removeItem(storageName);
  return kept === null ? undefined : (JSON.parse(kept) as KeptView);
}
