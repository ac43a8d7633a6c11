import { describe, expect, it } from 'vitest';
import { transparentPainter } from '../../../../../electron/engine/jobs/cutout/compose/compose.ts';

const row = [9, 8, 7, 0, 6, 5, 4, 1, 3, 2, 1, 255, 255, 255, 255, 0, 0, 0, 0, 128];
const written = [0, 0, 0, 0, 6, 5, 4, 1, 3, 2, 1, 255, 0, 0, 0, 0, 0, 0, 0, 128];
const gap = [1, 2, 3, 4];

describe('a transparent ground', () => {
  it.each([
    ['8', 8, Uint8Array],
    ['16', 16, Uint16Array],
  ] as const)('keeps what is seen and nothing else, in %s bits', (_, bits, Samples) => {
    const from = Samples.from([...gap, ...row]);
    const to = new Samples(from.length);
    const cut = { width: 5, height: 1, bands: 4, bits };
    transparentPainter({ width: 5, cut, bits }).paintRow(from, gap.length, to, gap.length, 0);
    expect([...to]).toEqual([0, 0, 0, 0, ...written]);
  });
});
