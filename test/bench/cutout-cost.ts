/** What a cut-out of 12 megapixels costs in a real engine: time of all steps, and anonymous memory. */
import { join } from 'node:path';
import type { MaskNetworkFile } from '../../electron/engine/protocol.ts';
import { anonymousMib } from '../support/anonymous-memory.ts';
import { createTestEngine } from '../support/engine.ts';
import { writeBenchJpeg } from './bench-pictures.ts';

const size = { width: 4000, height: 3000 };
const sampleEveryMs = 200;

export interface Cost {
  /** From the job's start to its end, the network loaded before. */
  seconds: number;
  secondsPerMegapixel: number;
  mostMib: number;
}

/** @param photograph laid out over the picture; absent: one is made */
export async function costOfCutout(
  network: MaskNetworkFile,
  photograph: string | undefined,
): Promise<Cost> {
  const variants = network.variants.map((one) => ({ ...one, precision: 'fp32' as const }));
  const asked = { ...network, variants };
  const engine = createTestEngine();
  try {
    const sourcePath = join(engine.dir, 'large.jpg');
    await writeBenchJpeg(sourcePath, size.width, size.height, photograph);
    await engine.cutOut({ sourcePath, network: asked });
    let mostMib = 0;
    const timer = setInterval(() => {
      mostMib = Math.max(mostMib, anonymousMib(engine.host.pid ?? 0));
    }, sampleEveryMs);
    const start = performance.now();
    await engine.cutOut({ sourcePath, network: asked });
    const seconds = (performance.now() - start) / 1000;
    clearInterval(timer);
    const megapixels = (size.width * size.height) / 1e6;
    return { seconds, secondsPerMegapixel: seconds / megapixels, mostMib };
  } finally {
    await engine.close();
  }
}
