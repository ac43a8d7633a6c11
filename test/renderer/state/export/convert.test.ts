import { describe, expect, it } from 'vitest';
import type { PictureInfo, TaskOptions } from '../../../../packages/contract/src/task.ts';
import {
  formatsFor,
  holdsMore,
  proposedFormat,
} from '../../../../renderer/state/export/convert.ts';

const info = (format: string, bitDepth = 8): PictureInfo => ({
  ...{ format, width: 8, height: 6, bitDepth, channels: 3, sizeBytes: 100 },
});
const record = (input: PictureInfo, output: PictureInfo, quality?: number) => {
  const options: TaskOptions = {
    ...{ model: 'natural', format: 'same', formatChosen: false, bitDepth: 'same' },
    ...{ metadata: 'keep', onConflict: 'number' },
    ...(quality !== undefined && { quality }),
  };
  return { input, output, options };
};
const asked = (format: 'tiff' | 'jpeg' | 'webp' | 'jxl', quality = 92, bitDepth?: 16) => ({
  ...{ format, quality },
  bitDepth: bitDepth ?? ('same' as const),
});

describe('another format for a result', () => {
  const jpeg = record(info('jpeg'), info('jpeg'), 92);
  const png = record(info('png'), info('png'));
  const webp = record(info('webp'), info('webp'));

  it('could hold more than a JPEG does when it is without loss, or deeper', () => {
    expect(holdsMore(asked('tiff'), jpeg)).toBe(true);
    expect(holdsMore(asked('jxl', 100), jpeg)).toBe(true);
    expect(holdsMore(asked('webp'), jpeg)).toBe(false);
  });

  it('could hold more than 8 bits of a PNG', () => {
    expect(holdsMore(asked('tiff'), png)).toBe(false);
    expect(holdsMore(asked('tiff', 92, 16), png)).toBe(true);
    expect(holdsMore(asked('tiff', 92, 16), record(info('png', 16), info('png', 16)))).toBe(false);
  });

  it('begins as that of the results, or as one of theirs of use to all; what is of none comes last', () => {
    expect(proposedFormat([jpeg])).toBe('jpeg');
    expect(formatsFor([jpeg]).slice(-3).sort()).toEqual(['gif', 'png', 'tiff']);
    expect(proposedFormat([png])).toBe('png');
    expect(proposedFormat([record(info('tiff', 16), info('tiff', 16))])).toBe('tiff');
    expect(proposedFormat([png, jpeg])).toBe('jpeg');
  });

  it('is not said to hold more than what may be without loss itself', () => {
    expect(holdsMore(asked('tiff'), webp)).toBe(false);
    expect(holdsMore(asked('tiff'), record(info('jpeg'), info('webp'), 80))).toBe(true);
  });
});
