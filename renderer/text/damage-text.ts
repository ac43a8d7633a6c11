/** Words what was found in a photo, what was done about it and what a network changed, in levels of 255. */
import type { ChangedPixels, MeasuredDamage } from '../../electron/contract/task.ts';
import { levelsText, shareText } from './figures.ts';
import { text } from './text.ts';

export function foundLines({ jpegQuality, noise }: MeasuredDamage): string[] {
  return [
    jpegQuality === undefined ? text.foundNoTrace : text.foundQuality(jpegQuality),
    noise === 0 ? text.foundNoNoise : text.foundNoise(levelsText(noise)),
  ];
}

/** Words what the network was told. There are no lines where it cannot be told, or nothing was asked for. */
export function toldLines({ restored }: MeasuredDamage): string[] {
  if (restored === undefined) return [];
  const { jpegQuality, noise } = restored;
  const lines = [
    ...(jpegQuality === undefined ? [] : [text.toldQuality(jpegQuality)]),
    ...(noise === 0 ? [] : [text.toldNoise(levelsText(noise))]),
  ];
  return lines.length === 0 ? [text.toldNothing] : lines;
}

export const grainText = ({ grain }: MeasuredDamage): string | undefined =>
  grain && text.grainLaid(levelsText(grain.deviation));

export const changedText = ({ mean, largest, share }: ChangedPixels): string =>
  text.changesWords(levelsText(mean), levelsText(largest), shareText(share));
