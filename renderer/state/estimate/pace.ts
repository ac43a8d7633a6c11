/**
 * Corrects the times of photos that were estimated before the speeds were measured as they are now. One photo of each
 * model and scale is asked for anew, and the others change by as much: thousands need no request of their own.
 */
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import type { Estimate } from '../../../packages/contract/src/task.ts';

interface PacedPhoto {
  readonly choices: Pick<Choices, 'operation' | 'isEnlarged' | 'upscaler' | 'remover' | 'scale'>;
  estimate: Estimate | undefined;
}

/** Share of a time; smaller changes leave the times as they are. */
const minChange = 0.1;

/** @param estimate asks for a photo anew; resolves to undefined where that is refused */
export async function correctTimes<Photo extends PacedPhoto>(
  photos: readonly Photo[],
  estimate: (photo: Photo) => Promise<Estimate | undefined>,
): Promise<void> {
  const timed = photos.flatMap((photo) => {
    const { estimate: known } = photo;
    return known?.seconds === undefined ? [] : [{ photo, known, seconds: known.seconds }];
  });
  for (const alike of Map.groupBy(timed, ({ photo }) => kindOf(photo)).values()) {
    const longest = alike.reduce((one, other) => (other.seconds > one.seconds ? other : one));
    const seconds = (await estimate(longest.photo))?.seconds;
    if (seconds === undefined || longest.photo.estimate !== longest.known) continue;
    const factor = seconds / longest.seconds;
    if (Math.abs(factor - 1) < minChange) continue;
    for (const { photo, known, seconds: before } of alike)
      if (photo.estimate === known) photo.estimate = { ...known, seconds: before * factor };
  }
}

/** Photos of one kind run through the same networks. */
const kindOf = ({ choices }: PacedPhoto): string => {
  const { operation, isEnlarged, upscaler, remover, scale } = choices;
  return JSON.stringify([operation, isEnlarged, upscaler, remover, scale]);
};
