/** Words the state of a row. */
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import { choicesOfRecord } from '../options/choices.ts';
import { fitToPhoto, photoSizeOf } from '../options/fit-to-photo.ts';
import { paperText } from '../options/paper-text.ts';
import { folderName, folderOf } from '../options/destination.ts';
import type { Photo } from './photo.svelte.ts';
import { printLength } from '../../text/print-length.svelte.ts';
import {
  bytesText,
  durationText,
  numberText,
  percentText,
  problemText,
  sizeText,
  text,
} from '../../text/text.ts';

/**
 * Words a photo's phase. `place` is its place in the queue, from 1, while it waits. `isAway` says that the
 * service does not answer, so that nobody knows what runs.
 */
export function phaseText(photo: Photo, place: number | undefined, isAway: boolean): string {
  return phaseParts(photo, place, isAway).join('');
}

/** The same, with what a narrow row leaves out as a second part. */
export function phaseParts(
  photo: Photo,
  place: number | undefined,
  isAway: boolean,
): [words: string, rest?: string] {
  if (isAway && photo.isActive) return [text.rowAway];
  switch (photo.phase) {
    case 'ready':
      return readyParts(photo);
    case 'uploading':
      return [text.uploading];
    case 'PENDING':
      return [place === undefined ? text.waiting : text.waitingAt(place)];
    case 'PROCESSING':
      return [runningText(photo)];
    case 'FINISHED':
      return finishedParts(photo);
    case 'FAILED':
      return [photo.problem === undefined ? text.failure : problemText(photo.problem)];
  }
}

function readyParts({ obstacle, estimate }: Photo): [words: string, rest?: string] {
  if (obstacle !== undefined) return [problemText(obstacle)];
  if (estimate === undefined || estimate.width === 0) return [text.ready];
  return [sizeText(estimate), text.willTake(bytesText(estimate.fileSizeBytes))];
}

function runningText({ progress, etaSeconds }: Photo): string {
  if (etaSeconds === undefined) return percentText(progress);
  return `${percentText(progress)}, ${text.left(durationText(etaSeconds))}`;
}

function finishedParts({ record, isSaved }: Photo): [words: string, rest?: string] {
  if (record?.output === undefined) return [text.finished];
  if (record.imageUrl === undefined && !isSaved) return [text.resultGone];
  return [sizeText(record.output), `, ${bytesText(record.output.sizeBytes)}`];
}

/** Words where a finished photo's result lies, as short as can be. It is '' for a result that is gone. */
export function landedText({ record, isSaved, isUnsaved, isHeld }: Photo): string {
  if (record?.savedTo !== undefined) return folderName(folderOf(record.savedTo));
  if (isSaved) return text.savedElsewhere;
  if (isHeld) return text.savedOnceAccepted;
  return isUnsaved ? text.notSaved : '';
}

/** Words what is done with a photo, as short as can be. */
export function badgeText(photo: Photo): string {
  const { record } = photo;
  if (record?.operation === 'convert') return record.options.format.toUpperCase();
  const made = record && !photo.isEditable ? choicesOfRecord(record) : undefined;
  const choices = made ?? fitToPhoto(photo.choices, photoSizeOf(photo));
  if (choices.operation === 'upscale') return sizeBadge(choices);
  return choices.isEnlarged ? text.bothBadge(sizeBadge(choices)) : text.cutoutBadge;
}

/** Words how large a photo becomes. */
export function sizeBadge(choices: Choices): string {
  if (choices.sizing === 'scale') return text.scaleBadge(choices.scale);
  if (choices.sizing === 'megapixels') return text.megapixels(numberText(choices.megapixels));
  if (choices.sizing === 'print') {
    const { printPaper, printMillimetres } = choices;
    return printPaper === '' ? printLength.write(printMillimetres) : paperText(printPaper);
  }
  return `${choices.sidePx} px`;
}

/** Ids of the models that a task was given: that of its cut-out first, where it also enlarges. */
export const modelsOf = ({ options }: Pick<TaskRecord, 'options'>): readonly string[] =>
  options.enlarge === undefined ? [options.model] : [options.model, options.enlarge.model];
