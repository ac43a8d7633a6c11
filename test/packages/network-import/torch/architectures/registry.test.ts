import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../../../../packages/onnx/src/byte-source.ts';
import { writePieces } from '../../../../../packages/onnx/src/write-onnx.ts';
import { buildNetwork } from '../../../../../packages/network-import/src/torch/architectures/registry.ts';
import { readCheckpoint } from '../../../../../packages/network-import/src/torch/read-checkpoint.ts';
import { openTrial } from '../../../../../electron/engine/inference/sessions/trial-session.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** make-references.py makes these: random weights, and what PyTorch gives for them at three sizes. */
const references = join(import.meta.dirname, '../../references');
const folder = temporaryFolder();

interface Case {
  width: number;
  height: number;
  shape: number[];
  /** Only every `step`-th value is stored; absent: every value. */
  step?: number;
  /** The values are 32-bit floats in Base64. */
  values: string;
}

/** Makes the same picture as make-references.py. */
const sample = (count: number) =>
  Float32Array.from({ length: count }, (_, i) => ((i * 7919 + 13) % 251) / 250);

const names = readdirSync(references)
  .filter((name) => name.endsWith('.pth'))
  .map((name) => name.slice(0, -'.pth'.length));

const architectureOf = (name: string) =>
  ({
    esrgan: 'ESRGAN',
    spsr: 'SPSR',
    compact: 'Compact',
    span: 'SPAN',
    real: 'RealPLKSR',
    swin: 'SwinIR',
    dat: 'DAT',
    omni: 'OmniSR',
    srformer: 'SRFormer',
    hat: 'HAT',
    rgt: 'RGT',
    drct: 'DRCT',
    atd: 'ATD',
    mosr: 'MoSR',
    nafnet: 'NAFNet',
    rcan: 'RCAN',
    cugan: 'Real-CUGAN',
  })[name.split('-')[0] ?? ''];

describe('a network from its weights', () => {
  it.each(names)('%s gives what PyTorch gives', async (name) => {
    const source = openBytes(join(references, `${name}.pth`));
    const path = join(folder, `${name}.onnx`);
    const network = buildNetwork(readCheckpoint(source), 'input');
    writePieces(path, network.pieces);
    source.close();
    expect(network.architecture).toBe(architectureOf(name));
    const session = await openTrial(path, 'input');
    const cases = JSON.parse(readFileSync(join(references, `${name}.json`), 'utf8')) as Case[];
    expect(cases).toHaveLength(3);
    for (const { width, height, shape, step = 1, values } of cases) {
      const [answer] = await session.run([1, 3, height, width], sample(3 * width * height));
      const expected = new Float32Array(new Uint8Array(Buffer.from(values, 'base64')).buffer);
      expect(answer?.shape).toEqual(shape);
      const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const difference = expected.reduce(
        (most, value, i) => Math.max(most, Math.abs(value - (answer?.data[i * step] ?? NaN))),
        0,
      );
      expect(difference / largest).toBeLessThan(1e-4);
    }
    await session.close();
  });
});
