/**
 * How near the refined edge comes to the true one: composites with known alpha over photographs,
 * masks as a network would give them, and the errors of the plainly enlarged mask, of a guided
 * filter and of the refinement as a share of the plain one's; then colours in the soft band.
 * `node test/bench/alpha-composites.ts [SHARED] [EVERY]`: the folder with benchmark/cutout and
 * photographs (`../shared`), and whether to take each picture or each EVERYth.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Plane } from '../../electron/engine/raster/planes/plane.ts';
import { resample } from '../../electron/engine/raster/planes/resample.ts';
import { refineCutout } from '../../electron/engine/works/cutout/refine/refine-cutout.ts';
import { createRaster, openRaster } from '../../electron/engine/raster/raster-file.ts';
import { alphaErrors, colourError, type AlphaErrors } from './alpha-errors.ts';
import { printTable } from './bench-pictures.ts';
import { composites, planeOf, type Composite } from './composite-pictures.ts';
import { guidedMask } from './guided-mask.ts';
import { maskFaults, simulatedMask } from './simulated-mask.ts';
import { shippedTuning } from '../support/networks-masks.ts';

interface Row {
  pictures: number;
  errors: { plain: AlphaErrors; guided: AlphaErrors; refined: AlphaErrors };
  colours: { kept: number; freed: number; count: number };
}

const none = (): AlphaErrors => ({ sad: 0, squares: 0, gradient: 0 });
const newRow = (): Row => ({
  pictures: 0,
  errors: { plain: none(), guided: none(), refined: none() },
  colours: { kept: 0, freed: 0, count: 0 },
});

export interface CompositeBench {
  shared: string;
  /** Each picture of a set, or each so-manyth. */
  every?: number;
  /** The largest picture solved as it is; smaller than the sets' shows the reduced way. */
  workingPixels?: number;
}

/** Measures and prints; says what is not there. */
export async function benchComposites(options: CompositeBench): Promise<void> {
  const rows = new Map<string, Row>();
  const seen = new Map<string, number>();
  const skipped = (what: string) => process.stdout.write(`Skipped: ${what} is not there.\n`);
  for await (const composite of composites(options.shared, skipped)) {
    const place = seen.get(composite.set) ?? 0;
    seen.set(composite.set, place + 1);
    if (place % (options.every ?? 1) === 0) await measure(composite, rows, options);
  }
  printRows(rows);
}

async function measure(
  composite: Composite,
  rows: Map<string, Row>,
  options: CompositeBench,
): Promise<void> {
  const { width, height, alpha, picture, foreground } = composite;
  const colours = [0, 1, 2].map((c) => planeOf(picture, width, height, 3, c)) as [
    Plane,
    Plane,
    Plane,
  ];
  for (const fault of maskFaults) {
    const key = `${composite.set}, mask ${composite.maskPx} | ${fault.name}`;
    const row = rows.get(key) ?? newRow();
    rows.set(key, row);
    const mask = simulatedMask(alpha, composite.maskPx, fault);
    const plain = resample(mask, width, height);
    const radius = Math.max(1, Math.round((1.5 * width) / composite.maskPx));
    const refined = await refinedOf(composite, mask, options);
    add(row.errors.plain, alphaErrors(plain, alpha));
    add(row.errors.guided, alphaErrors(guidedMask(colours, plain, radius, 1e-4), alpha));
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
async function refinedOf(
  { width, height, picture }: Composite,
  mask: Plane,
  { workingPixels }: CompositeBench,
): Promise<Uint8Array> {
  const scratchDir = mkdtempSync(join(tmpdir(), 'enlarger-composites-'));
  const output = join(scratchDir, 'output.v');
  const whole = { x: 0, y: 0, width, height };
  const source = createRaster(join(scratchDir, 'source.v'), { width, height, bands: 3, bits: 8 });
  try {
    source.writeRect(whole, picture, 0, width * 3);
    const { signal } = new AbortController();
    const hooks = { signal, onProgress: () => undefined };
    const size = workingPixels === undefined ? {} : { workingPixels };
    await refineCutout(
      { source, mask, output, scratchDir, tuning: shippedTuning },
      { ...hooks, ...size },
    );
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
  const headings = ['set', 'mask', 'pictures', 'SAD plain, px', 'guided SAD', 'refined SAD'];
  const more = ['guided MSE', 'refined MSE', 'refined gradient', 'colours kept', 'colours freed'];
  const lines = [...rows].map(([key, { pictures, errors, colours }]) => {
    const { plain, guided, refined } = errors;
    return [
      ...key.split(' | '),
      pictures,
      (plain.sad / pictures).toFixed(0),
      share(guided.sad, plain.sad),
      share(refined.sad, plain.sad),
      share(guided.squares, plain.squares),
      share(refined.squares, plain.squares),
      share(refined.gradient, plain.gradient),
      (colours.kept / colours.count).toFixed(1),
      (colours.freed / colours.count).toFixed(1),
    ];
  });
  printTable([...headings, ...more], lines);
}

if (import.meta.main) {
  const [shared, every] = process.argv.slice(2);
  await benchComposites({
    shared: resolve(shared ?? join(import.meta.dirname, '../../../shared')),
    every: Number(every ?? 1),
  });
}
