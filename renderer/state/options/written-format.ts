/** The formats in which results are written that keep the format of their photo. */
import {
  formatOfEnding,
  hasQuality,
  isOutputFormat,
  sameFormat,
  type OutputFormat,
} from '../../../packages/contract/src/formats.ts';

/** What is known of a photo's format: by its contents once the service has read it, before that by its name. */
export interface FormatFacts {
  readonly name: string;
  readonly estimate?: { readonly input?: { readonly format: string } } | undefined;
  readonly record?: { readonly input?: { readonly format: string } } | undefined;
}

const formatOf = ({ name, estimate, record }: FormatFacts): string | undefined =>
  (record?.input ?? estimate?.input)?.format ??
  formatOfEnding(name.slice(name.lastIndexOf('.') + 1));

const formatsOf = (photos: readonly FormatFacts[]): string[] => [
  ...new Set(photos.map(formatOf).filter((format) => format !== undefined)),
];

/** Lists the photos' formats that are read and not written, each with the one that takes its place. */
export const replacedFormats = (
  photos: readonly FormatFacts[],
): { from: string; to: OutputFormat }[] =>
  formatsOf(photos)
    .filter((from) => !isOutputFormat(from))
    .map((from) => ({ from, to: sameFormat(from) }));

/** Whether no result has a quality to choose. False where a photo's format is not known. */
export const allLossless = (photos: readonly FormatFacts[]): boolean =>
  photos.length > 0 &&
  photos.every((photo) => {
    const format = formatOf(photo);
    // A GIF stays one where it moves, which has no quality either.
    return format !== undefined && !hasQuality(sameFormat(format));
  });
