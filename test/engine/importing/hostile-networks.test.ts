/** Networks that are whole files and do harm when they run: each is tried by the real process, under its limits. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ImportProgress } from '../../../packages/contract/src/models/import-progress.ts';
import { importNetwork, limitsFor } from '../../../electron/engine/host/import-host.ts';
import { onnxModel, type OnnxConstant, type OnnxNode } from '../../support/networks-onnx.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { engineProgram } from '../../support/programs.ts';

const host = {
  nodePath: process.execPath,
  enginePath: engineProgram,
};
const whole = 7;

/** Makes a shape's numbers of floats, by a cast. */
const shape = (...values: number[]): [OnnxConstant[], OnnxNode[]] => [
  [{ name: 'floats', shape: [values.length], values }],
  [{ kind: 'Cast', inputs: ['floats'], output: 'shape', integers: { to: whole } }],
];

const [expandTo, expandNodes] = shape(1, 3, 100_000, 100_000);
const [tileBy, tileNodes] = shape(1, 1, 3000, 3000);
const [squareOf, squareNodes] = shape(4000, 4000);

const doubled = Array.from({ length: 40 }, (_, i): OnnxNode => {
  const from = i === 0 ? 'input' : `x${i}`;
  const output = i === 39 ? 'output' : `x${i + 1}`;
  return { kind: 'Concat', inputs: [from, from], output, integers: { axis: 3 } };
});

const products = Array.from({ length: 400 }, (_, i): OnnxNode => ({
  kind: 'MatMul',
  inputs: [i === 0 ? 'square' : `p${i}`, 'square'],
  output: `p${i + 1}`,
}));

const networks: [name: string, nodes: OnnxNode[], constants: OnnxConstant[]][] = [
  [
    'gives a picture of ten gigapixels',
    [
      ...expandNodes,
      {
        kind: 'ReduceMean',
        inputs: ['input'],
        output: 'mean',
        lists: { axes: [2, 3] },
        integers: { keepdims: 1 },
      },
      { kind: 'Expand', inputs: ['mean', 'shape'], output: 'output' },
    ],
    expandTo,
  ],
  [
    'repeats its picture nine million times',
    [...tileNodes, { kind: 'Tile', inputs: ['input', 'shape'], output: 'output' }],
    tileBy,
  ],
  ['doubles what it holds forty times', doubled, []],
  [
    'multiplies large matrices for minutes',
    [
      ...squareNodes,
      { kind: 'ConstantOfShape', inputs: ['shape'], output: 'square' },
      ...products,
      { kind: 'ReduceMean', inputs: ['p400'], output: 'sum', integers: { keepdims: 0 } },
      { kind: 'Add', inputs: ['input', 'sum'], output: 'output' },
    ],
    squareOf,
  ],
  [
    'gives what is no number',
    [{ kind: 'Mul', inputs: ['input', 'nothing'], output: 'output' }],
    [{ name: 'nothing', shape: [1], values: [NaN] }],
  ],
  [
    'gives another thing than a picture',
    [{ kind: 'ReduceMean', inputs: ['input'], output: 'output', integers: { keepdims: 0 } }],
    [],
  ],
  [
    'uses an operation that can run for ever',
    [{ kind: 'Loop', inputs: ['input', 'input'], output: 'output' }],
    [],
  ],
  [
    'uses an operation that there is not',
    [{ kind: 'SystemCall', inputs: ['input'], output: 'output' }],
    [],
  ],
];

it('a network of a fixed size may need more memory than its few weights', () => {
  // IS-Net in 8 bits, which 927 MB did not suffice for.
  const isnetBytes = 44_342_436;
  expect(limitsFor(isnetBytes).memoryBytes).toBeLessThan(1.2e9);
  expect(limitsFor(isnetBytes, [1, 3, 1024, 1024]).memoryBytes).toBeGreaterThan(2e9);
  expect(limitsFor(isnetBytes, ['batch', 3, 'h', 'w'])).toEqual(limitsFor(isnetBytes));
  const huge = limitsFor(100, [1, 3, 100_000, 100_000]);
  expect(huge.memoryBytes).toBeLessThan(10e9);
});

it('the steps of an import are told while it runs', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'mean.onnx');
  const nodes: OnnxNode[] = [
    { kind: 'ReduceMean', inputs: ['input'], output: 'output', lists: { axes: [1] } },
  ];
  const ends = { input: [1, 3, 64, 64], output: [1, 1, 64, 64] };
  writeFileSync(path, onnxModel({ nodes, constants: [], ...ends }));
  const request = { files: [{ name: 'mean.onnx', path }], toFolder: folder };
  const steps: ImportProgress[] = [];
  const imported = await importNetwork(host, request, new AbortController().signal, (step) =>
    steps.push(step),
  );
  expect(imported.task).toBe('remove-bg');
  expect(steps[0]).toEqual({ step: 'reading', runs: 0 });
  expect(steps).toContainEqual({ step: 'trying', runs: 0 });
  expect(steps.at(-1)).toMatchObject({ step: 'trying' });
}, 300_000);

it.each(networks)(
  'a network that %s is refused with a sentence',
  async (_what, nodes, constants) => {
    const folder = temporaryFolder();
    const path = join(folder, 'net.onnx');
    const ends = { input: [1, 3, 'h', 'w'], output: [1, 3, 'H', 'W'] };
    writeFileSync(path, onnxModel({ nodes, constants, ...ends }));
    const request = { files: [{ name: 'net.onnx', path }], toFolder: folder };
    const run = importNetwork(host, request, new AbortController().signal);
    await expect(run).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      message: expect.stringMatching(/^[A-Za-z].{20,}/s) as string,
    });
    // What it was told to write is in its own folder, and nothing else.
    expect(readdirSync(folder).sort().join()).toMatch(/^net\.onnx(,network\.onnx)?$/);
  },
  300_000,
);
