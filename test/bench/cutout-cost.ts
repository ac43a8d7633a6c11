/** What cut-outs cost in a real engine: time of all steps of small pictures and of 12 megapixels, and anonymous memory. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Timings } from '../../packages/contract/src/task.ts';
import type { MaskNetworkFile } from '../../electron/engine/protocol/messages.ts';
import { anonymousMib } from '../support/anonymous-memory.ts';
import { createTestEngine, type TestEngine } from '../support/engine.ts';
import { writeBenchJpeg, writeBenchSubject } from './bench-pictures.ts';

const size = { width: 4000, height: 3000 };
const sampleEveryMs = 200;

export interface Cost {
  /** From the job's start to its end, the network loaded before: several subjects, so that the network looks often. */
  seconds: number;
  /** The same with one subject. */
  secondsOfOne: number;
  secondsPerMegapixel: number;
  maxMib: number;
  /** The middle of a few small pictures; NaN where there are none. */
  secondsOfSmall: number;
}

interface Wanted {
  /** Laid out over the picture, several times; absent: one is made. */
  photograph: string | undefined;
  /** Small pictures. */
  folder: string;
  /** Called with the duration of each step. */
  say: (words: string) => void;
}

const smallPictures = 12;

export async function costOfCutout(
  network: MaskNetworkFile,
  { photograph, folder, say }: Wanted,
): Promise<Cost> {
  const engine = createTestEngine();
  const run = async (sourcePath: string) => {
    const start = performance.now();
    const { report } = await engine.cutOut({ sourcePath, network: asSingle(network) });
    const seconds = (performance.now() - start) / 1000;
    say(`${seconds.toFixed(2)} s, ${report.tiles.count} looks: ${partsOf(report.timings)}`);
    return seconds;
  };
  try {
    const [several, one] = [join(engine.dir, 'several.jpg'), join(engine.dir, 'one.jpg')];
    await writeBenchJpeg(several, size.width, size.height, photograph);
    await writeBenchSubject(one, size.width, size.height);
    await run(several);
    const { result: seconds, maxMib } = await watched(engine, () => run(several));
    const secondsOfOne = await run(one);
    const small: number[] = [];
    const names = globSync('*.webp', { cwd: folder }).toSorted().slice(0, smallPictures);
    for (const name of names) small.push(await run(join(folder, name)));
    const megapixels = (size.width * size.height) / 1e6;
    const secondsPerMegapixel = seconds / megapixels;
    return { seconds, secondsOfOne, secondsPerMegapixel, maxMib, secondsOfSmall: middleOf(small) };
  } finally {
    await engine.close();
  }
}

function asSingle(network: MaskNetworkFile): MaskNetworkFile {
  return {
    ...network,
    variants: network.variants.map((one) => ({ ...one, precision: 'fp32' as const })),
  };
}

const partsOf = (timings: Timings) =>
  Object.entries(timings)
    .filter(([, ms]) => ms >= 1)
    .map(([name, ms]) => `${name} ${Math.round(ms)}`)
    .join(', ');

const middleOf = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function watched<T>(engine: TestEngine, run: () => Promise<T>) {
  let maxMib = 0;
  const timer = setInterval(() => {
    maxMib = Math.max(maxMib, anonymousMib(engine.host.pid ?? 0));
  }, sampleEveryMs);
  try {
    const result = await run();
    return { result, maxMib };
  } finally {
    clearInterval(timer);
  }
}
