/** Names of the sizes that can be asked for. A file of its own, because the words of presets are loaded later. */
import type { Sizing } from '../../../packages/contract/src/settings/page.ts';
import { text } from '../../text/text.ts';

export const sizingNames: Readonly<Record<Sizing, string>> = {
  scale: text.sizingScale,
  longEdge: text.sizingLongEdge,
  width: text.sizingWidth,
  height: text.sizingHeight,
  megapixels: text.sizingMegapixels,
  print: text.sizingPrint,
};
