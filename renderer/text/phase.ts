/** A row's state in words. */
import type { Photo } from '../state/photo.svelte.ts';
import { bytesText, durationText, failureText, percentText, sizeText, text } from './text.ts';

/** `place` from 1, while the photo waits. */
export function phaseText(photo: Photo, place: number | undefined): string {
  switch (photo.phase) {
    case 'ready':
      return text.ready;
    case 'uploading':
      return text.uploading;
    case 'PENDING':
      return place === undefined ? text.waiting : text.waitingAt(place);
    case 'PROCESSING':
      return runningText(photo);
    case 'FINISHED':
      return finishedText(photo);
    case 'FAILED':
      return failureText(photo.problem?.code ?? '');
  }
}

function runningText({ progress, etaSeconds }: Photo): string {
  if (etaSeconds === undefined) return percentText(progress);
  return `${percentText(progress)}, ${text.left(durationText(etaSeconds))}`;
}

function finishedText({ record }: Photo): string {
  if (record?.output === undefined) return text.finished;
  return `${sizeText(record.output)}, ${bytesText(record.output.sizeBytes)}`;
}
