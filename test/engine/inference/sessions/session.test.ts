import { cpSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openSession,
  type Session,
} from '../../../../electron/engine/inference/sessions/session.ts';
import { isDialled } from '../../../../electron/engine/plan/choose-restoring.ts';
import type { NetworkFile } from '../../../../electron/engine/protocol/messages.ts';
import { differenceOf, sampleTensor } from '../../../../electron/engine/inference/checks/check.ts';
import { embeddedNetwork, embeddedNetworks } from '../../../support/networks.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/**
 * A picture that rises to the right, of one 8-bit level in `pixelsALevel` pixels, with the rows that its middle one
 * depends on.
 */
const [width, height] = [104, 34];
const darkest = [40, 100, 160];

function ramp(pixelsALevel: number, wholeLevels: boolean): Float32Array {
  const at = (i: number) => {
    const level = darkest[Math.floor(i / (width * height))]! + (i % width) / pixelsALevel;
    return (wholeLevels ? Math.round(level) : level) / 255;
  };
  return Float32Array.from({ length: 3 * width * height }, (_, i) => at(i));
}

/** The middle row of each channel of the enlarged ramp, in levels of 255, without the margins. */
async function enlarged(
  session: Session,
  { network, condition }: ConditionedFile,
  picture: Float32Array,
) {
  const told = network.condition?.values.map((_, i) => condition[i] ?? 0);
  const values = (await session.run(picture, width, height, told)).slice();
  const { scale, marginPx } = network;
  const rows = [0, 1, 2].map((channel) => {
    const start = (channel * height * scale + (height * scale) / 2) * width * scale;
    return values.subarray(start + marginPx * scale, start + (width - marginPx) * scale);
  });
  return rows.map((row) => Array.from(row, (value) => value * 255));
}

const steps = (row: number[]) => row.slice(1).map((value, i) => value - row[i]!);

interface ConditionedFile {
  network: NetworkFile;
  file: string;
  /** Compression, noise, blur and the share of Natural, in the network's units; what is missing is 0. */
  condition: Condition;
}

type Condition = [number, number, number, number?];

/** Half of Natural, for networks that hold its weights as well. */
const blended: Condition[] = [
  [0, 0, 0, 0.5],
  [1.05, 1.33, 0, 0.5],
  [0, 0, 1 / 1.5, 1],
];

/** From a clean photo's to the strongest that a network is told. */
const conditions: Condition[] = [
  [0, 0, 0],
  [0.5, 0, 0],
  [0, 1, 0],
  [1.05, 1.33, 0],
  [0, 0, 0.6 / 1.5],
  [0, 0, 0.8 / 1.5],
  [0, 0, 1 / 1.5],
  [0.5, 0, 0.8 / 1.5],
  [0, 0.6, 0.8 / 1.5],
];

/** Of files from which one of 8 bits was made, whose own bands show theirs. */
const extremes = conditions.filter((_, i) => [0, 3, 8].includes(i));
/** A clean photo's and the softest one's, at which steeper gradients are run, too. */
const ends = conditions.filter((_, i) => [0, 8].includes(i));
/** Of their copies in 16 bits, which the processor computes in 32. */
const strongest = conditions.slice(-1);

/** Each file with the precision of its session, and the conditions that it is told. */
const files = embeddedNetworks().flatMap((network) =>
  network.variants.map(({ precision, file }) => {
    const isMadeSmaller = precision !== 'int8' && network.variants.length > 1;
    const isCopy = precision === 'fp16' && isMadeSmaller;
    const unblended = isMadeSmaller ? extremes : conditions;
    const told = isCopy ? strongest : unblended;
    const shares = isCopy ? blended.slice(0, 1) : blended;
    const known = isDialled(network.condition) ? [...told, ...shares] : told;
    return { network, precision, file, known: network.condition ? known : known.slice(0, 1) };
  }),
);

describe.each(files)('a slow gradient through $file', ({ network, precision, file, known }) => {
  let session: Session;
  beforeAll(async () => void (session = await openSession(network, precision, 'cpu')));
  afterAll(() => session.close());

  describe.each(known.map((condition): ConditionedFile => ({ network, file, condition })))(
    'told $condition',
    (each) => gradientTests(() => session, each),
  );
});

/** @param session returns the file's open session */
function gradientTests(session: () => Session, each: ConditionedFile) {
  const { network } = each;
  /** Bands show in the slowest gradients first: but for the two ends those are enough. */
  const isEnd = ends.includes(each.condition);

  it.each(isEnd ? [6, 16] : [16])(
    'of 8 bits, a level in %i pixels, has no bands',
    async (pixelsALevel) => {
      for (const row of await enlarged(session(), each, ramp(pixelsALevel, true))) {
        const jumps = steps(row.map(Math.round)).map(Math.abs);
        const isSharpened = network.modelId === 'detail' && each.condition[2] > 0.5;
        expect(Math.max(...jumps)).toBeLessThanOrEqual(isSharpened ? 3 : 1);
        const rise = (row.at(-1) ?? 0) - (row[0] ?? 0);
        const expected = row.length / network.scale / pixelsALevel;
        expect(Math.abs(rise - expected)).toBeLessThan(isSharpened ? 2.5 : 1.5);
      }
    },
  );

  it.each(isEnd ? [3, 20] : [20])(
    'of 16 bits, a level in %i pixels, stays a gradient',
    async (pixelsALevel) => {
      const { scale, marginPx } = network;
      const rows = await enlarged(session(), each, ramp(pixelsALevel, false));
      rows.forEach((row, channel) => {
        const ideal = (i: number) =>
          darkest[channel]! + ((i + 0.5) / scale - 0.5 + marginPx) / pixelsALevel;
        const worst = Math.max(...row.map((value, i) => Math.abs(value - ideal(i))));
        expect(worst).toBeLessThan(network.modelId === 'detail' ? 0.12 : 0.1);
      });
    },
  );
}

describe('a file that holds two networks', () => {
  const side = 64;
  const [natural, detail] = ['natural', 'detail'].map((id) =>
    embeddedNetworks().find(({ modelId, scale }) => modelId === id && scale === 4),
  );

  it.each(['fp32', 'int8'] as const)(
    'is the first one at its end of the blend, in %s',
    async (precision) => {
      const sessions = await Promise.all(
        [natural, detail].map((network) => openSession(network!, precision, 'cpu', 1)),
      );
      const [first, both] = sessions;
      const picture = sampleTensor(natural!, side);
      const told = [0.5, 0.2, 0];
      const expected = (await first!.run(picture, side, side, told)).slice();
      const found = (await both!.run(picture, side, side, [...told, 1])).slice();
      const half = (await both!.run(picture, side, side, [...told, 0.5])).slice();
      const own = (await both!.run(picture, side, side, [...told, 0])).slice();
      const far = (a: Float32Array, b: Float32Array) => differenceOf(a, b, [0, 1]);
      // The steps of 8 bits are those of both networks, wider than the first one's.
      const { max, mean } = far(found, expected);
      expect(max).toBeLessThanOrEqual(precision === 'fp32' ? 0 : 6);
      expect(mean).toBeLessThanOrEqual(precision === 'fp32' ? 0 : 1);
      expect(far(own, expected).mean).toBeGreaterThan(far(half, expected).mean);
      expect(far(half, expected).mean).toBeGreaterThan(far(found, expected).mean);
      await Promise.all(sessions.map((session) => session.close()));
    },
  );
});

describe('opening a session', () => {
  /** A shipped network of 8 bits, which runs large tiles in strips, with its file in a folder of its own. */
  function ownCopy(): { network: NetworkFile; path: string } {
    const shipped = embeddedNetwork(2);
    const [variant] = shipped.variants.filter(({ precision }) => precision === 'int8');
    const path = join(temporaryFolder(), 'network.onnx');
    cpSync(variant!.path, path);
    return { network: { ...shipped, variants: [{ ...variant!, path }] }, path };
  }

  it('loads the form of the file that a run needs, and no other one', async () => {
    const { network, path } = ownCopy();
    // Both forms of a conditioned one are made of its parts, which are in memory.
    delete network.condition;
    const session = await openSession(network, 'int8', 'cpu', 1);
    const side = 288;
    rmSync(path);
    await session.run(new Float32Array(3 * side ** 2), side, side);
    await expect(session.run(new Float32Array(3 * 64 ** 2), 64, 64)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
    await session.close();
  });

  it('prepares a network whose form no condition and no size of tile decides', async () => {
    const { network, path } = ownCopy();
    const plain: NetworkFile = { ...network, tileExact: false };
    delete plain.condition;
    const session = await openSession(plain, 'int8', 'cpu', 1);
    await session.prepare();
    rmSync(path);
    const output = await session.run(new Float32Array(3 * 64 ** 2), 64, 64);
    expect(output).toHaveLength(3 * 128 ** 2);
    await session.close();
  });

  it('prepares nothing that the condition of the picture decides', async () => {
    const { network, path } = ownCopy();
    const session = await openSession(network, 'int8', 'cpu', 1);
    truncateSync(path, 5000);
    await session.prepare();
    await session.close();
  });

  it('says that a model cannot be loaded whose file is damaged', async () => {
    const { network, path } = ownCopy();
    truncateSync(path, 5000);
    const run = async () => {
      const session = await openSession(network, 'int8', 'cpu', 1);
      await session.run(new Float32Array(3 * 64 ** 2), 64, 64);
    };
    await expect(run()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });
});
