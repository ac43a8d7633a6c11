/** A cut-out from a photo that was enlarged only where it is seen, against one from all of it. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Stroke } from '../../../../packages/contract/src/options/strokes.ts';
import {
  createRaster,
  createSamples,
  openRaster,
} from '../../../../electron/engine/raster/raster-file.ts';
import { refineCutout } from '../../../../electron/engine/jobs/cutout/refine/refine-cutout.ts';
import { visibleRegion } from '../../../../electron/engine/jobs/combined/visible-region.ts';
import { photo, type Pixels } from '../../../support/images.ts';
import { blurNetwork } from '../../../support/networks-made.ts';
import { shippedTuning } from '../../../support/networks-masks.ts';
import { passOver, withSession } from '../../../support/passes.ts';
import { subjectPhoto } from '../../../support/subjects.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let dir: string;
let files = 0;
beforeAll(() => {
  dir = temporaryFolder();
});

const box = { x: 150, y: 120, width: 70, height: 60 };
const picture = subjectPhoto(480, 360, box);
const network = { tuning: shippedTuning };
const wish = { network, strokes: [], bits: 8 } as const;

/** As large as a quarter of the picture along each side, 1 in the box and soft around it. */
function maskOf() {
  const [width, height] = [picture.width / 4, picture.height / 4];
  const data = Float32Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [(at % width) * 4 + 2, Math.floor(at / width) * 4 + 2];
    const off = Math.max(box.x - x, x - box.x - box.width, box.y - y, y - box.y - box.height);
    return Math.min(1, Math.max(0, 0.5 - off / 8));
  });
  return { width, height, data };
}

async function refinedOf(large: Pixels): Promise<Uint8Array> {
  files += 1;
  const { data, width, height, channels: bands } = large;
  const whole = { x: 0, y: 0, width, height };
  const source = createRaster(join(dir, `large-${files}.v`), { width, height, bands, bits: 8 });
  source.writeRect(whole, data, 0, width * bands);
  const output = join(dir, `cut-${files}.v`);
  const order = { source, mask: maskOf(), output, tuning: shippedTuning };
  const hooks = { signal: new AbortController().signal, onProgress: () => undefined };
  await refineCutout(order, hooks).finally(() => source.close());
  const cut = openRaster(output);
  const samples = createSamples(cut.shape, width * height * 4);
  cut.readRect(whole, samples, 0, width * 4);
  cut.close();
  return Uint8Array.from(samples);
}

describe('a cut-out of what is seen of a photo', () => {
  it('has the alpha and the colours of one of all of it', async () => {
    const blur = blurNetwork(dir);
    const part = visibleRegion(wish, maskOf(), picture);
    const { whole, some } = await withSession(blur, 'fp32', async (session) => ({
      whole: await passOver(picture, blur, session, 72),
      some: await passOver(picture, blur, session, 72, { region: part }),
    }));
    expect(some.tiles).toBeLessThan(whole.tiles / 2);
    const [expected, found] = [await refinedOf(whole.picture), await refinedOf(some.picture)];
    let [seen, soft, most] = [0, 0, 0];
    for (let at = 3; at < found.length; at += 4) {
      const alpha = expected[at]!;
      if (found[at] !== alpha) expect([at, found[at]]).toEqual([at, alpha]);
      if (alpha === 0) continue;
      seen += 1;
      const off = Math.max(
        ...[3, 2, 1].map((band) => Math.abs(found[at - band]! - expected[at - band]!)),
      );
      if (alpha === 255) expect(off).toBe(0);
      else soft += 1;
      most = Math.max(most, off);
    }
    expect(seen).toBeGreaterThan(4 * 60 * 50);
    expect(soft).toBeGreaterThan(200);
    // Distant colours influence the edge's only through the coarsest copies.
    expect(most).toBeLessThanOrEqual(1);
  });

  it('has what a hard brush keeps, wherever that is', () => {
    const path: Stroke['points'] = [
      [0.9, 0.1],
      [0.95, 0.9],
    ];
    const stroke: Stroke = { kind: 'keep', radius: 0.01, hardness: 100, points: path };
    const without = visibleRegion(wish, maskOf(), picture);
    const { width, height, data } = visibleRegion(
      { ...wish, strokes: [stroke] },
      maskOf(),
      picture,
    );
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const x = 0.9 + (share - 0.1) * 0.0625;
      const at = Math.floor(share * height) * width + Math.floor(x * width);
      expect([without.data[at], data[at]]).toEqual([0, 1]);
    }
  });

  it('has all that a true alpha leaves, however faint', () => {
    const mask = { width: 100, height: 75, data: new Float32Array(7500) };
    mask.data[75 * 40 + 90] = 0.003;
    const matting = { network: { matting: true }, strokes: [] } as const;
    const isSeen = (bits: 8 | 16) =>
      visibleRegion({ ...matting, bits }, mask, photo(480, 360)).data.includes(1);
    expect(isSeen(8)).toBe(true);
    mask.data[75 * 40 + 90] = 0.001;
    expect([isSeen(8), isSeen(16)]).toEqual([false, true]);
  });
});
