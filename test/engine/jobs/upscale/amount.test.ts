import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../../support/engine.ts';
import { deep, photo, readPixels, type Pixels } from '../../../support/images.ts';
import { brightNetwork } from '../../../support/networks-masks.ts';
import { invertingNetwork } from '../../../support/networks-made.ts';
import { differenceOf } from '../../../support/pixels.ts';

const engine = sharedTestEngine();
const networks = join(engine.dir, 'networks');
afterAll(() => engine.close());

/** Dark at the left, with a bright square at the right: what `brightNetwork` takes for the subject. */
function scene(): Pixels {
  const picture = { ...photo(96, 64), data: new Uint8Array(96 * 64 * 3).fill(40) };
  for (let y = 16; y < 48; y += 1) picture.data.fill(220, (y * 96 + 56) * 3, (y * 96 + 88) * 3);
  return picture;
}

const inverting = invertingNetwork(networks);

async function enlarged(options: Partial<Parameters<typeof engine.run>[0]>, picture = scene()) {
  const { report, outputPath } = await engine.run({
    sourcePath: await engine.saved(picture),
    passes: [inverting],
    format: 'png',
    ...options,
  });
  return { report, picture: await readPixels(outputPath) };
}

const levelAt = ({ data, width, channels }: Pixels, x: number, y: number) =>
  data[(y * width + x) * channels] ?? NaN;

describe('the amount of an enlargement', () => {
  it('runs no network at 0 and enlarges by interpolation, saying so', async () => {
    const { report, picture } = await enlarged({ amount: 0 });
    expect([picture.width, picture.height]).toEqual([96 * inverting.scale, 64 * inverting.scale]);
    expect(levelAt(picture, 10, 10)).toBe(40);
    expect(levelAt(picture, 72 * inverting.scale, 32 * inverting.scale)).toBe(220);
    expect(report.ran).toEqual([]);
    expect(report.notes).toContain(
      'The amount is 0, so the photo was enlarged by interpolation, without a model.',
    );
  });

  it.each([25, 60])(
    'mixes %i percent of the network with the plain enlargement',
    async (amount) => {
      for (const source of [scene(), deep(scene())]) {
        const { picture } = await enlarged({ amount }, source);
        const { picture: plain } = await enlarged({ amount: 0 }, source);
        const { picture: full } = await enlarged({}, source);
        const mixed = plain.data.map((value, i) =>
          Math.round(value + (((full.data[i] ?? NaN) - value) * amount) / 100),
        );
        const { most } = differenceOf(picture, { ...plain, data: mixed });
        expect(most).toBeLessThanOrEqual(1);
      }
    },
  );

  it('is used on the subject alone, or on the background alone', async () => {
    const network = brightNetwork(networks);
    const points = [
      [72 * inverting.scale, 32 * inverting.scale],
      [10, 10],
    ] as const;
    const levels = async (kind: 'subject' | 'background') => {
      const { picture, report } = await enlarged({ amountArea: { kind, network, strokes: [] } });
      expect(report.ran.map(({ modelId }) => modelId)).toEqual([
        network.modelId,
        inverting.modelId,
      ]);
      return points.map(([x, y]) => levelAt(picture, x, y));
    };
    expect(await levels('subject')).toEqual([255 - 220, 40]);
    expect(await levels('background')).toEqual([220, 255 - 40]);
  });

  it('is used where strokes paint, and strokes take away from a subject', async () => {
    const stroke = { radius: 0.1, hardness: 100, points: [[0.1, 0.2] as [number, number]] };
    const painted = await enlarged({
      amountArea: { kind: 'painted', strokes: [{ kind: 'keep', ...stroke }] },
    });
    const scale = inverting.scale;
    expect(levelAt(painted.picture, 9 * scale, 12 * scale)).toBe(215);
    expect(levelAt(painted.picture, 60 * scale, 5 * scale)).toBe(40);
    const spared = await enlarged({
      amountArea: { kind: 'everywhere', strokes: [{ kind: 'remove', ...stroke }] },
    });
    expect(levelAt(spared.picture, 9 * scale, 12 * scale)).toBe(40);
    expect(levelAt(spared.picture, 60 * scale, 5 * scale)).toBe(215);
    const cut = await enlarged({
      amountArea: {
        kind: 'subject',
        network: brightNetwork(networks),
        strokes: [{ kind: 'remove', radius: 0.05, hardness: 100, points: [[0.75, 0.5]] }],
      },
    });
    expect(levelAt(cut.picture, 72 * scale, 32 * scale)).toBe(220);
    expect(levelAt(cut.picture, 85 * scale, 20 * scale)).toBe(35);
  });

  it('fails where a subject is asked for and none is there', async () => {
    const flat = { ...scene(), data: new Uint8Array(96 * 64 * 3).fill(40) };
    await expect(
      enlarged(
        { amountArea: { kind: 'subject', network: brightNetwork(networks), strokes: [] } },
        flat,
      ),
    ).rejects.toMatchObject({ code: 'NO_SUBJECT' });
  });
});
