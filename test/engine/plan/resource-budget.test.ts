import { writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  roomFor,
  takePriority,
  tileWithin,
} from '../../../electron/engine/plan/resource-budget.ts';
import { createTestEngine } from '../../support/engine.ts';
import { asSharp, photo, readPixels } from '../../support/images.ts';
import { blurNetwork } from '../../support/networks-made.ts';
import { differenceOf } from '../../support/pixels.ts';

const atRest = { onBattery: false, personElsewhere: false };

describe('the room that is left', () => {
  it('is little where nothing speaks for more', () => {
    const little = { isLast: false, isSmall: false };
    expect(roomFor({ leave: 'auto', around: atRest }, 8)).toEqual(little);
    const around = { onBattery: true, personElsewhere: true };
    expect(roomFor({ leave: 'little', around }, 8)).toEqual(little);
  });

  it('is half of the processor on battery, or when that was chosen', () => {
    const half = { threads: 4, isLast: true, isSmall: false };
    expect(roomFor({ leave: 'auto', around: { ...atRest, onBattery: true } }, 8)).toEqual(half);
    expect(roomFor({ leave: 'half', around: atRest }, 8)).toEqual(half);
  });

  it('is the first turn for the programs that a person works in', () => {
    const room = roomFor({ leave: 'auto', around: { ...atRest, personElsewhere: true } }, 8);
    expect(room).toEqual({ isLast: true, isSmall: false });
  });

  it('is most of processor and memory when that was chosen, and never all', () => {
    expect(roomFor({ leave: 'most', around: atRest }, 8)).toEqual({
      threads: 2,
      isLast: true,
      isSmall: true,
    });
    expect(roomFor({ leave: 'most', around: atRest }, 1).threads).toBe(1);
  });

  it('makes tiles smaller where that changes no pixel', () => {
    const room = roomFor({ leave: 'most', around: atRest }, 8);
    const network = { tileExact: true, least: 24 };
    expect(tileWithin(room, 384, network)).toBe(160);
    expect(tileWithin(room, 96, network)).toBe(96);
    expect(tileWithin(room, 384, { ...network, least: 200 })).toBe(200);
    expect(tileWithin(room, 384, { ...network, tileExact: false })).toBe(384);
    expect(tileWithin(room, 384, { ...network, fixedPx: 384 })).toBe(384);
    expect(tileWithin(undefined, 384, network)).toBe(384);
  });
});

describe('a job that leaves room', () => {
  const engine = createTestEngine();
  afterAll(() => engine.close());

  it('makes the same picture on one thread, of smaller tiles, behind all other programs', async () => {
    const sourcePath = join(engine.dir, 'source.png');
    writeFileSync(sourcePath, await asSharp(photo(700, 420)).png().toBuffer());
    const passes = [blurNetwork(join(engine.dir, 'networks'))];
    const usual = await engine.run({ sourcePath, passes });
    const room = { threads: 1, isLast: true, isSmall: true };
    const small = await engine.run({ sourcePath, passes, room });
    expect(small.report.tiles.sizePx).toBeLessThanOrEqual(160);
    const pictures = [await readPixels(usual.outputPath), await readPixels(small.outputPath)];
    expect(differenceOf(pictures[0]!, pictures[1]!).most).toBeLessThanOrEqual(1);
    expect(getPriority(engine.host.pid ?? 0)).toBe(constants.priority.PRIORITY_LOW);
  });

  it('keeps its priority where the system lets nobody raise it', () => {
    const before = getPriority();
    expect(() => takePriority({ isLast: false, isSmall: false })).not.toThrow();
    expect(getPriority()).toBeGreaterThanOrEqual(before);
  });
});
