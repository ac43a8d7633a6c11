/** What a file must leave as it was for those that run after it in the same process. */
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';

const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
  .png()
  .toBuffer();

afterAll(async () => {
  const reading = sharp(png).metadata();
  const why =
    'It imports decoders of the engine and so needs a process of its own (vitest.config.ts).';
  await expect(reading, why).resolves.toMatchObject({ width: 1 });
});
