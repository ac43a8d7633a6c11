/**
 * How near the refined edge comes to the true one: composites with known alpha over photographs,
 * masks as a network would give them, and the errors of the plainly enlarged mask and of the
 * refinement as a share of the plain one's; then colours in the matting band.
 * `node test/bench/alpha-composites.ts [SHARED] [EVERY]`: the folder with benchmark/cutout and
 * photographs (`../shared`), and whether to take each picture or each EVERYth.
 */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plane } from '../../electron/engine/raster/planes/plane.ts';
import { resample } from '../../electron/engine/raster/planes/resample.ts';
import { refineCutout } from '../../electron/engine/jobs/cutout/refine/refine-cutout.ts';
import { createRaster, openRaster } from '../../electron/engine/raster/raster-file.ts';
import { alphaErrors, colourError, type AlphaErrors } from './alpha-errors.ts';
import { printTable } from './bench-pictures.ts';
import { composites, planeOf, type Composite } from './composite-pictures.ts';
import { maskFaults, simulatedMask } from './simulated-mask.ts';
import { shippedTuning } from '../support/networks-masks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Row {
  pictures: number;
  errors: { plain: AlphaErrors; refined: AlphaErrors };
  colours: { kept: number; freed: number; count: number };
}

const none = (): AlphaErrors => ({ sad: 0, squares: 0, gradient: 0 });
const newRow = (): Row => ({
  pictures: 0,
  errors: { plain: none(), refined: none() },
  colours: { kept: 0, freed: 0, count: 0 },
});

/** Measures each picture of a set, or each so-manyth, and prints; says what is not there. */
async function benchComposites(shared: string, every: number): Promise<void> {
  const rows = new Map<string, Row>();
  const seen = new Map<string, number>();
  const skipped = (what: string) => process.stdout.write(`Skipped: ${what} is not there.\n`);
  for await (const composite of composites(shared, skipped)) {
    const place = seen.get(composite.set) ?? 0;
    seen.set(composite.set, place + 1);
    if (place % every === 0) await measure(composite, rows);
  }
  printRows(rows);
}

async function measure(composite: Composite, rows: Map<string, Row>): Promise<void> {
  const { width, height, alpha, picture, foreground } = composite;
  for (const fault of maskFaults) {
    const key = `${composite.set}, mask ${composite.maskPx} | ${fault.name}`;
    const row = rows.get(key) ?? newRow();
    rows.set(key, row);
    const mask = simulatedMask(alpha, composite.maskPx, fault);
    const plain = resample(mask, width, height);
    const refined = await refinedOf(composite, mask);
    add(row.errors.plain, alphaErrors(plain, alpha));
    add(row.errors.refined, alphaErrors(planeOf(refined, width, height, 4, 3), alpha));
    const freed = colourError({ samples: refined, step: 4 }, foreground, alpha);
    row.colours.kept += colourError({ samples: picture, step: 3 }, foreground, alpha).sum;
    row.colours.freed += freed.sum;
    row.colours.count += freed.count;
    row.pictures += 1;
  }
}

function add(to: AlphaErrors, errors: AlphaErrors): void {
  to.sad += errors.sad;
  to.squares += errors.squares;
  to.gradient += errors.gradient;
}

/** RGBA as the refinement writes it. */
async function refinedOf({ width, height, picture }: Composite, mask: Plane): Promise<Uint8Array> {
  const scratchDir = temporaryFolder();
  const output = join(scratchDir, 'output.v');
  const whole = { x: 0, y: 0, width, height };
  const source = createRaster(join(scratchDir, 'source.v'), { width, height, bands: 3, bits: 8 });
  try {
    source.writeRect(whole, picture, 0, width * 3);
    const { signal } = new AbortController();
    const hooks = { signal, onProgress: () => undefined };
    await refineCutout({ source, mask, output, tuning: shippedTuning }, hooks);
    const result = openRaster(output);
    const samples = new Uint8Array(width * height * 4);
    result.readRect(whole, samples, 0, width * 4);
    result.close();
    return samples;
  } finally {
    source.close();
    rmSync(scratchDir, { recursive: true });
  }
}

function printRows(rows: Map<string, Row>): void {
  const share = (one: number, other: number) => (other > 0 ? (one / other).toFixed(2) : '-');
  const headings = ['set', 'mask', 'pictures', 'SAD plain, px', 'refined SAD'];
  const more = ['refined MSE', 'refined gradient', 'colours kept', 'colours freed'];
  const lines = [...rows].map(([key, { pictures, errors, colours }]) => {
    const { plain, refined } = errors;
    return [
      ...key.split(' | '),
      pictures,
      (plain.sad / pictures).toFixed(0),
      share(refined.sad, plain.sad),
      share(refined.squares, plain.squares),
      share(refined.gradient, plain.gradient),
      (colours.kept / colours.count).toFixed(1),
      (colours.freed / colours.count).toFixed(1),
    ];
  });
  printTable([...headings, ...more], lines);
}

const [shared = join(import.meta.dirname, '../../../shared'), every = '1'] = process.argv.slice(2);
await benchComposites(resolve(shared), Number(every));
