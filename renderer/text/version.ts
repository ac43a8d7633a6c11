/** What a version of a photo is called: what was done, and by which model. */
import type { Photo } from '../state/photo.svelte.ts';
import { badgeText } from './phase.ts';
import { text } from './text.ts';

export function versionText(version: Photo, nameOfModel: (id: string) => string): string {
  const { record, strokes } = version;
  const parts = [
    badgeText(version),
    ...(record === undefined ? [] : [nameOfModel(record.options.model)]),
    ...(strokes.length > 0 ? [text.strokeCount(strokes.length)] : []),
  ];
  return parts.join(', ');
}
