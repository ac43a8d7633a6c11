/** What a file must leave as it was for those that run after it in the same process. */
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';

/** One pixel: to encode it for each file would take longer than many of them. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

afterAll(async () => {
  const reading = sharp(png).metadata();
  const why =
    'It imports decoders of the engine and so needs a process of its own (vitest.config.ts).';
  await expect(reading, why).resolves.toMatchObject({ width: 1 });
});
