/** Colours of camera RAW: a sensor of known sensitivities sees known colours, also such as no screen shows. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deltaE2000, labOf, spaces, type Lab, type RgbSpace } from '../../../support/delta-e.ts';
import { sharedTestEngine } from '../../../support/engine.ts';
import { readPixels } from '../../../support/images.ts';
import { dngOf } from '../../../support/made-files.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

type Triple = readonly [number, number, number];
const dot = (row: Triple, [x, y, z]: Triple) => row[0] * x + row[1] * y + row[2] * z;

/** XYZ to the colours of a sensor with overlapping bands, as real ones have: row by row. */
const sensor = [
  [0.4716, 0.0603, -0.083],
  [-0.7798, 1.5474, 0.248],
  [-0.1496, 0.1937, 0.6651],
] as const;
const seenAs = (xyz: Triple): Triple => [
  dot(sensor[0], xyz),
  dot(sensor[1], xyz),
  dot(sensor[2], xyz),
];
const d65: Triple = [0.95047, 1, 1.08883];
const white = seenAs(d65);
const neutral = white.map((value) => value / Math.max(...white));

/** Linear light of the primaries of BT.2020 as XYZ. */
const ofBt2020 = (rgb: Triple): Triple => [
  dot([0.636958, 0.144617, 0.168881], rgb),
  dot([0.2627, 0.677998, 0.059302], rgb),
  dot([0, 0.028073, 1.060985], rgb),
];
/** Linear light of what is photographed. */
const scene: Record<string, Triple> = {
  'a light grey': [0.85, 0.85, 0.85],
  'a dark grey': [0.2, 0.2, 0.2],
  'a red of BT.2020': [0.5, 0.05, 0.05],
  'a green of BT.2020': [0.02, 0.5, 0.02],
  'a blue of BT.2020': [0.05, 0.08, 0.5],
  'a yellow of BT.2020': [0.6, 0.6, 0.01],
  'a cyan of BT.2020': [0.03, 0.5, 0.5],
  'a magenta of BT.2020': [0.5, 0.03, 0.5],
};
const patchPx = 128;
const names = Object.keys(scene);

/** A DNG with a patch of each colour side by side, of which none is as bright as the sensor's white. */
function photoOfScene(): Buffer {
  const patches = Object.values(scene).map((rgb) => seenAs(ofBt2020(rgb)));
  const valueAt = (x: number, y: number) => {
    const band = (x % 2) + (y % 2);
    const value = patches[Math.floor(x / patchPx)]![band]! / Math.max(...white);
    return Math.round(65_535 * value);
  };
  return dngOf(patchPx * names.length, patchPx, valueAt, { neutral, matrix: sensor.flat() });
}

/** The curve of sRGB, of values 0-1. */
const toLinear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const proPhoto: RgbSpace = { ...spaces.ProPhoto, toLinear };
/** Adapted to the white of profiles (D50) by Bradford's matrix. */
const bt2020: RgbSpace = {
  toLinear: (v) => v,
  toXyz: [
    [0.6734241, 0.1656411, 0.1251286],
    [0.2790177, 0.6753402, 0.0456377],
    [-0.00193, 0.0299784, 0.797333],
  ],
};

/** The middles of the patches of a file of 16 bits, as shares of its white. */
async function patchesIn(path: string): Promise<Lab[]> {
  const { data, width, height } = await readPixels(path);
  return names.map((_, i) => {
    const x = Math.round(((i + 0.5) * width) / names.length);
    const at = (Math.round(height / 2) * width + x) * 3;
    return [data[at]! / 65_535, data[at + 1]! / 65_535, data[at + 2]! / 65_535] as const;
  });
}

const hasRawTherapee = !spawnSync('rawtherapee-cli', ['-h']).error;
const hasMagick = !spawnSync('convert', ['-version']).error;
const hasReader = hasRawTherapee && hasMagick;
const withoutReader = hasReader ? '' : ' (skipped: no rawtherapee-cli and ImageMagick)';
/** As we develop: the camera's white, no curve, and no highlights made up. */
const plainDevelopment = `[Color Management]
OutputProfile=RTv4_Large
WorkingProfile=ProPhoto
[White Balance]
Setting=Camera
[HLRecovery]
Enabled=false
`;

describe('camera RAW', () => {
  const at = (name: string) => join(engine.dir, name);
  let outputPath: string;
  let patches: Lab[];
  beforeAll(async () => {
    writeFileSync(at('photo.dng'), photoOfScene());
    const passes = [nearestNetwork(at('networks'))];
    ({ outputPath } = await engine.run({ sourcePath: at('photo.dng'), passes }));
    patches = await patchesIn(outputPath);
  });

  it.each(names)('shows %s as bright and coloured as the sensor saw it', (name) => {
    const expected = labOf(bt2020, scene[name]!);
    const found = labOf(proPhoto, patches[names.indexOf(name)]!);
    expect(deltaE2000(expected, found)).toBeLessThan(0.2);
  });

  it.skipIf(!hasReader)(`is developed by RawTherapee alike${withoutReader}`, async () => {
    const { icc } = await sharp(outputPath).metadata();
    writeFileSync(at('own.icc'), icc!);
    writeFileSync(at('plain.pp3'), plainDevelopment);
    const options = ['-Y', '-o', at('theirs.tif'), '-t', '-b16', '-p', at('plain.pp3')];
    execFileSync('rawtherapee-cli', [...options, '-c', at('photo.dng')], { stdio: 'ignore' });
    // In the colours of the result's profile, by lcms.
    execFileSync('convert', [at('theirs.tif'), '-profile', at('own.icc'), at('ours.tif')]);
    const theirs = await patchesIn(at('ours.tif'));
    for (const [i, name] of names.entries()) {
      const difference = deltaE2000(labOf(proPhoto, patches[i]!), labOf(proPhoto, theirs[i]!));
      expect(difference, name).toBeLessThan(0.2);
    }
  });
});
