import sharp from 'sharp';

/** A small PNG as a data: URL, another one for each seed. */
export async function smallPicture(seed: number): Promise<string> {
  const noise = { type: 'gaussian' as const, mean: 90 + (seed % 100), sigma: 30 };
  const create = { width: 24 + (seed % 16), height: 20, channels: 3 as const, background: '#888' };
  const png = await sharp({ create: { ...create, noise } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
