import { describe, expect, it } from 'vitest';
import {
  blockInputs,
  readJpegBlocks,
  type BlockReadings,
} from '../../../electron/engine/analysis/jpeg-blocks.ts';
import { noiseBeforeJpeg } from '../../../electron/engine/analysis/noise-before-jpeg.ts';
import { readSample } from '../../../electron/engine/analysis/picture-sample.ts';
import { stepsOfQuality } from '../../../packages/file-records/src/jpeg-quality.ts';
import type { Pixels } from '../../support/images.ts';
import { inMemory, scene, withNoise } from './damaged-pictures.ts';

const corner = { x: 0, y: 0 };

async function blocksOf(picture: Pixels): Promise<BlockReadings> {
  const sample = await readSample(inMemory(picture), () => Promise.resolve());
  return readJpegBlocks(sample, corner, stepsOfQuality(80));
}

const flat = (sidePx: number, level: number): Pixels => ({
  data: new Uint8Array(sidePx * sidePx * 3).fill(level),
  width: sidePx,
  height: sidePx,
  channels: 3,
});

/** Positions from the end of a block's inputs. */
const last = { headroom: 3, brightness: 2, rank: 1 } as const;
const inputs = ({ count, blocks }: BlockReadings, which: keyof typeof last): number[] =>
  Array.from({ length: count }, (_, n) => blocks[(n + 1) * blockInputs - last[which]] ?? NaN);

describe('the blocks that noise before a JPEG is read from', () => {
  it('are all blocks of a small picture', async () => {
    expect((await blocksOf(flat(64, 90))).count).toBe(64);
    expect((await blocksOf(flat(7, 90))).count).toBe(0);
  });

  it('are the flattest of a larger one first, then some of all kinds', async () => {
    const found = await blocksOf(withNoise(scene(2, 480), 3));
    expect(found.count).toBe(512);
    const ranks = inputs(found, 'rank');
    expect(Math.max(...ranks.slice(0, 224))).toBeLessThan(0.15);
    expect(Math.max(...ranks.slice(320))).toBeGreaterThan(0.29);
  });

  it('are clipped ones only after the others', async () => {
    const { data, ...picture } = withNoise(flat(256, 120), 4);
    const found = await blocksOf({ ...picture, data: data.fill(255, 0, data.length / 2) });
    const headrooms = inputs(found, 'headroom');
    expect(Math.min(...headrooms.slice(0, 320))).toBeGreaterThan(0.2);
    expect(headrooms.slice(320).filter((headroom) => headroom === 0).length).toBeGreaterThan(90);
  });

  it('tell no noise where there are fewer than four', async () => {
    const found = noiseBeforeJpeg(await blocksOf(withNoise(flat(8, 120), 20)));
    expect(found).toEqual({ deviation: 0, softnessPx: 0 });
  });
});
