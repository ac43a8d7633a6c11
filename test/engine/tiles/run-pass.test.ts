import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession, type Session } from '../../../electron/engine/inference/sessions/session.ts';
import type { NetworkFile } from '../../../electron/engine/protocol/messages.ts';
import { deep, grey, photo, withAlpha, type Pixels } from '../../support/images.ts';
import { blurNetwork, nearestNetwork, pooledNetwork } from '../../support/networks-made.ts';
import { embeddedNetworks } from '../../support/networks.ts';
import { passOver, withSession } from '../../support/passes.ts';
import { differenceOf } from '../../support/pixels.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dir: string;
beforeAll(() => {
  dir = temporaryFolder();
});

type NetworkMaker = (folder: string) => NetworkFile;
const blurOfMany: NetworkMaker = (folder) => blurNetwork(folder, 4, 'n');

/** Large enough that every picture here is one tile. */
const wholePx = 1024;

/** How far tiles of `tilePx` are from the whole picture in one tile. */
async function tiledAgainstWhole(
  network: NetworkFile,
  session: Session,
  picture: Pixels,
  tilePx: number,
) {
  const whole = await passOver(picture, network, session, wholePx);
  const tiled = await passOver(picture, network, session, tilePx);
  expect(whole.tiles).toBe(1);
  return { tiles: tiled.tiles, ...differenceOf(tiled.picture, whole.picture) };
}

/** The same with a session of its own. */
const tiledOnce = (network: NetworkFile, picture: Pixels, tilePx: number) =>
  withSession(network, network.variants[0]!.precision, (session) =>
    tiledAgainstWhole(network, session, picture, tilePx),
  );

/** All but the one that is smaller than a tile take several tiles. */
const pictures: [string, Pixels][] = [
  ['not a multiple of the tile', photo(37, 29)],
  ['smaller than a tile', photo(20, 30)],
  ['one pixel wide', photo(1, 40)],
  ['one pixel high', photo(40, 1)],
  ['grey', grey(photo(40, 20))],
  ['16 bit', deep(photo(20, 40))],
  ['half transparent', withAlpha(photo(40, 30), 20)],
];
/** Those whose shape a network sees; what becomes of grey, 16 bits and alpha is the same around any network. */
const shaped = pictures.slice(0, 4);
/** Margins of the networks that ship take 16 pixels on each side. */
const smallTilePx = 56;

describe('a pass in tiles', () => {
  describe.each(
    embeddedNetworks().flatMap((network) =>
      network.variants
        // On the processor one of 16 bits is computed in 32; session.test.ts loads and runs each.
        .filter(({ precision }) => precision !== 'fp16')
        .map((v) => [network.modelId, network.scale, v.precision, network] as const),
    ),
  )('of %s x%i in %s', (_model, _scale, precision, network) => {
    let session: Session;
    beforeAll(async () => void (session = await openSession(network, precision, 'cpu')));
    afterAll(() => session.close());

    it.each(shaped)('equals the whole for a picture %s', async (_, picture) => {
      const { most } = await tiledAgainstWhole(network, session, picture, smallTilePx);
      expect(most).toBeLessThanOrEqual(1);
    });
  });

  it.each(pictures)(
    'of a mean over 9 x 9 equals the whole for a picture %s',
    async (_, picture) => {
      const { most } = await tiledOnce(blurNetwork(dir), picture, 40);
      expect(most).toBeLessThanOrEqual(1);
    },
  );

  it('is seen to differ when the margin is too small', async () => {
    const { most, tiles } = await tiledOnce(blurNetwork(dir, 1), photo(211, 137), 40);
    expect(tiles).toBeGreaterThan(10);
    expect(most).toBeGreaterThan(3);
  });

  it('comes near the whole, without a step, where no margin can be enough', async () => {
    const network = pooledNetwork(dir);
    const { seam, most } = await withSession(network, 'fp32', async (session) => {
      const ramp = rampPicture(300, 200);
      const { picture } = await passOver(ramp, network, session, 96);
      const whole = await passOver(ramp, network, session, wholePx);
      return { seam: largestStep(picture), most: differenceOf(picture, whole.picture).most };
    });
    expect(most).toBeGreaterThan(1);
    expect(seam).toBeLessThanOrEqual(2);
  });

  it('answers tiles, their size and how much was computed for the margins', async () => {
    const network = blurNetwork(dir);
    await withSession(network, 'fp32', async (session) => {
      const { tiles, sizePx, computedPerCore } = await passOver(
        photo(128, 128),
        network,
        session,
        40,
      );
      expect([tiles, sizePx]).toEqual([16, 40]);
      expect(computedPerCore).toBeCloseTo((16 * 40 * 40) / 128 ** 2);
    });
  });

  describe.each<[string, NetworkMaker, Pixels]>([
    ['an exact network', blurOfMany, photo(211, 137)],
    ['a blended one', (folder) => pooledNetwork(folder, 'n'), photo(211, 137)],
    ['16 bits', blurOfMany, deep(photo(150, 90))],
    ['transparency', blurOfMany, withAlpha(photo(150, 90), 70)],
    ['a picture of one tile', blurOfMany, photo(20, 30)],
  ])('of several tiles in one call: %s', (_, made, picture) => {
    it.each([2, 4])('gives with %i what one by one gives, in as many tiles', async (batch) => {
      const network = made(dir);
      const [single, several] = await withSession(network, 'fp32', async (session) => [
        await passOver(picture, network, session, 40),
        await passOver(picture, network, session, 40, { batch }),
      ]);
      expect(several.tiles).toBe(single.tiles);
      expect(differenceOf(several.picture, single.picture).most).toBe(0);
    });
  });

  it('asks before each call whether it is still wanted, and tells of each tile', async () => {
    const network = blurOfMany(dir);
    const calls: number[] = [];
    const told: string[] = [];
    const counting = (session: Session): Session => ({
      ...session,
      run: (tensor, width, height) => {
        calls.push(tensor.length / (3 * width * height));
        return session.run(tensor, width, height);
      },
    });
    const hooks = {
      onTile: (done: number, total: number) => told.push(`${done} of ${total}`),
      throwIfCancelled: () => {
        if (calls.length === 2) throw new Error('It is no longer wanted.');
      },
    };
    const pass = withSession(network, 'fp32', (session) =>
      passOver(photo(400, 20), network, counting(session), 40, { ...hooks, batch: 4 }),
    );
    await expect(pass).rejects.toThrow('no longer wanted');
    expect(calls).toEqual([4, 4]);
    expect(told).toEqual(Array.from({ length: 8 }, (_, i) => `${i + 1} of 13`));
  });

  it('runs a network of another scale by its descriptor alone', async () => {
    const network = nearestNetwork(dir, 3);
    const { most } = await tiledOnce(network, photo(100, 61), 32);
    expect(most).toBe(0);
  });
});

/** Brightness that rises slowly from left to right, so that a seam would be a step. */
function rampPicture(width: number, height: number): Pixels {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) =>
    Math.floor(30 + ((Math.floor(i / 3) % width) * 160) / width),
  );
  return { data, width, height, channels: 3 };
}

/** The most by which neighbours in a row or a column differ. */
function largestStep({ data, width, height, channels }: Pixels): number {
  let most = 0;
  for (let y = 1; y < height; y += 1) {
    for (let x = 1; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const left = Math.abs(data[at]! - data[at - channels]!);
      const above = Math.abs(data[at]! - data[at - width * channels]!);
      most = Math.max(most, left, above);
    }
  }
  return most;
}
