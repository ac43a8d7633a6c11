/** Remembers in this tab where a photo was zoomed into, so that a reload keeps it. */
import { readNoted, writeNoted } from '../queue/noted.ts';
import type { View } from './viewport.svelte.ts';

const storageName = 'enlarger.view';

interface KeptView {
  /** The photo's. */
  readonly key: string;
  readonly view: View;
}

/** Notes the view of a photo; must be called when the page is left. */
export const keepView = ({ key, view }: KeptView): void => writeNoted(storageName, [[key, view]]);

/** Takes the noted view. */
export function takeView(): KeptView | undefined {
  const [kept] = readNoted(storageName, isView);
  sessionStorage.removeItem(storageName);
  return kept && { key: kept[0], view: kept[1] };
}

function isView(value: unknown): value is View {
  const { zoom, middle } = Object(value) as { zoom?: unknown; middle?: unknown };
  const { x, y } = Object(middle) as { x?: unknown; y?: unknown };
  return (zoom === undefined || isNumber(zoom)) && isNumber(x) && isNumber(y);
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
