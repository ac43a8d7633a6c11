/**
 * What follows from downloads and models that can be fetched. Without schemas, whose package the page does not load
 * before its first paint.
 */
import type { ModelView } from './model.ts';
import type { Download, ObtainableModel } from './obtainable.ts';

export const hasEnded = ({ state }: Download): boolean =>
  state !== 'fetching' && state !== 'importing';

/**
 * A fetched model becomes the default of its task if a photo of 12 megapixels takes at most this long, in seconds;
 * enlarging by the model's smallest scale.
 */
export const defaultWithinSeconds = { upscale: 60, 'remove-bg': 10 } as const;

/** What a model of the list is for, as shown and as kept with it once it is installed. */
export const summaryOf = ({
  bestFor,
  description,
}: Pick<ObtainableModel, 'bestFor' | 'description'>): string =>
  `Best for ${bestFor}. ${description}`;

/** Size of all files; undefined if one is not published. */
export function downloadBytes({ files }: Pick<ObtainableModel, 'files'>): number | undefined {
  const total = files.reduce((sum, { sizeBytes = NaN }) => sum + sizeBytes, 0);
  return Number.isNaN(total) ? undefined : total;
}

/**
 * Whether an installed model came from this one's first file, by its hash, or by its name where no hash is published.
 */
export function isInstalledFrom(
  { files: [own] }: Pick<ObtainableModel, 'files'>,
  models: readonly Pick<ModelView, 'origin'>[],
): boolean {
  if (own === undefined) return false;
  const { sha256, name } = own;
  return models.some(({ origin }) =>
    sha256 === undefined ? origin?.files.includes(name) : origin?.sha256.includes(sha256),
  );
}
