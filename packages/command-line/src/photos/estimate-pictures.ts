/** Fetches the estimates of a batch's pictures ahead, so that the time left knows the large ones from the start. */
import { pathToFileURL } from 'node:url';
import type { Client } from '../../../api-client/src/client.ts';
import type { Picture } from './inputs.ts';
import { noPlaces, type LocalPlaces } from './local-places.ts';
import type { Report } from './report.ts';
import { backgroundFileOf, type ProcessOptions } from './result-target.ts';

/** Pictures behind these count by their bytes, as others of their ending. */
const maxEstimates = 1000;

interface EstimateParts {
  client: Client;
  places: LocalPlaces;
  report: Report;
  signal: AbortSignal;
}

/**
 * Estimates one picture after the other beside the batch. It never rejects: what is wrong with a picture comes out
 * when it is submitted. Pictures that must be sent first are left out.
 */
export async function estimatePictures(
  pictures: readonly Picture[],
  { work }: ProcessOptions,
  { client, places, report, signal }: EstimateParts,
): Promise<void> {
  if (report.estimated === undefined || places === noPlaces || pictures.length < 2) return;
  const background = backgroundFileOf(work) ?? [];
  for (const picture of pictures.slice(0, maxEstimates)) {
    if (signal.aborted) return;
    const imageUrl = pathToFileURL(picture.file).href;
    const grants = [picture.file, background].flat();
    const request = { ...work.body, operation: work.operation, imageUrl, grants };
    const estimate = await places
      .canRead(picture.file)
      .then((mayRead) => (mayRead ? client.estimate(request, { signal }) : undefined))
      .catch(() => undefined);
    if (estimate !== undefined) report.estimated(picture, estimate);
  }
}
