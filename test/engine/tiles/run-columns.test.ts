import { expect, it } from 'vitest';
import { planColumns, type ColumnPass } from '../../../electron/engine/tiles/run-columns.ts';
import { deep, grey, photo, type Pixels } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { embeddedNetworks } from '../../support/networks.ts';
import { columnsOver, passOver, withSession } from '../../support/passes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const streamed = embeddedNetworks().filter(({ variants }) =>
  variants.some(({ precision }) => precision === 'int8'),
);
const pictures: [string, Pixels][] = [
  ['as tall as several strips', photo(36, 560)],
  ['smaller than a strip', photo(20, 30)],
  ['one pixel wide', photo(1, 60)],
  ['one pixel high', photo(60, 1)],
  ['grey', grey(photo(40, 20))],
  ['16 bit', deep(photo(20, 40))],
];

it.each(streamed)('$modelId at $scale x in columns equals square tiles', async (network) => {
  await withSession(network, 'int8', async ({ openStream, ...session }) => {
    if (!openStream) throw new Error('Expected a network that runs in strips');
    const { modelId, scale } = network;
    const own = modelId === 'natural' && scale === 2 ? pictures : pictures.slice(0, 1);
    for (const [name, picture] of own) {
      const columns = await columnsOver(picture, network, (width) => openStream(width));
      const square = await passOver(picture, network, session, 192);
      expect(columns.tiles, name).toBe(1);
      expect(columns.picture, name).toEqual(square.picture);
    }
  });
});

/** A network of 2x, made to repeat pixels, that lags behind by a row. */
const network = { ...nearestNetwork(temporaryFolder(), 2), marginPx: 2 };

/** @param change of a value of the output */
function repeating(change = (value: number) => value): ColumnPass['openStream'] {
  return (width) => {
    let last = new Float32Array(3 * width);
    return Promise.resolve({
      lagPx: 1,
      next(strip, rows) {
        const output = new Float32Array(12 * width * rows);
        for (let band = 0; band < 3; band += 1)
          for (let y = 0; y < rows; y += 1)
            for (let x = 0; x < width; x += 1) {
              const from = y === 0 ? band * width + x : (band * rows + y - 1) * width + x;
              const value = change((y === 0 ? last : strip)[from] ?? NaN);
              for (const [dx, dy] of [
                [0, 0],
                [1, 0],
                [0, 1],
                [1, 1],
              ] as const)
                output[((band * rows + y) * 2 + dy) * 2 * width + 2 * x + dx] = value;
            }
        last = new Float32Array(3 * width);
        for (let band = 0; band < 3; band += 1)
          last.set(
            strip.subarray(((band + 1) * rows - 1) * width, (band + 1) * rows * width),
            band * width,
          );
        return Promise.resolve(output);
      },
    });
  };
}

it('puts the strips of several columns where they belong', async () => {
  const picture = photo(1500, 250);
  const { picture: made, tiles, sizePx } = await columnsOver(picture, network, repeating());
  expect([tiles, sizePx]).toEqual([2, 754]);
  for (const [x, y] of [
    [0, 0],
    [749, 86],
    [750, 87],
    [1499, 249],
    [1400, 173],
  ] as const)
    for (const [dx, dy] of [
      [0, 0],
      [1, 1],
    ] as const) {
      const to = ((2 * y + dy) * made.width + 2 * x + dx) * 3;
      const from = (y * picture.width + x) * 3;
      expect([...made.data.slice(to, to + 3)]).toEqual([...picture.data.slice(from, from + 3)]);
    }
});

it('plans as many columns for each of the threads that share a pass', () => {
  const countOf = (width: number, lanes?: number) =>
    planColumns({ width, height: 3000, bands: 3, bits: 8 }, network, lanes).columns.length;
  expect([1024, 2000, 4000, 4100].map((width) => countOf(width))).toEqual([2, 2, 4, 5]);
  expect([1000, 1024, 2100, 4000, 4100].map((width) => countOf(width, 2))).toEqual([2, 2, 4, 4, 6]);
});

it('tells before each strip how much is done, and can be stopped there', async () => {
  const done: string[] = [];
  const stopped = columnsOver(photo(1500, 250), network, repeating(), {
    beforeStrip(share, total) {
      done.push(`${share.toFixed(2)} of ${total}`);
      return share > 1 ? Promise.reject(new Error('No longer wanted')) : Promise.resolve();
    },
  });
  await expect(stopped).rejects.toThrow('No longer wanted');
  expect(done).toEqual(['0.00 of 2', '0.33 of 2', '0.67 of 2', '1.00 of 2', '1.33 of 2']);
});

it('refuses what is no number, and one colour for what is not one', async () => {
  const picture = photo(30, 200);
  const run = (change: (value: number) => number) =>
    columnsOver(picture, network, repeating(change));
  await expect(run(() => NaN)).rejects.toThrow('not numbers');
  await expect(run(() => 0.5)).rejects.toThrow('one flat colour');
  await expect(columnsOver(picture, { ...network, scale: 3 }, repeating())).rejects.toThrow(
    'was to give',
  );
});
