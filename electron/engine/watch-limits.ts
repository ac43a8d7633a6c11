/** How long each step may be silent before the job counts as hung, in milliseconds. */
import { formats, type OutputFormat } from '../contract/formats.ts';

/** A decoder shows life by the bytes it wrote; a picture's first byte may take this long. */
export const decodeSilenceMs = (megapixels: number) => Math.min(55_000, 30_000 + 150 * megapixels);

/** Loading a network, and at its first use here checking every device. */
export const beginSilenceMs = 180_000;

/** Several times the slowest tile so far. */
export const tileSilenceMs = (slowestMs: number) => Math.max(60_000, 10 * slowestMs);

/** Some encoders keep the whole picture and write it at the end. */
export const encodeSilenceMs = (format: OutputFormat, megapixels: number) =>
  60_000 + 1000 * megapixels * (formats[format].encoderSilenceSeconds ?? 0);
