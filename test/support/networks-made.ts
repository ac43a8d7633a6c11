/** Networks made for tests, whose answers can be said without running them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkDescriptor } from '../../packages/contract/src/models/model.ts';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { networkFromFile } from './networks.ts';
import { onnxModel, scalar, type OnnxConstant, type OnnxNode } from './networks-onnx.ts';

const planes = { input: [3, 'h', 'w'], output: [3, 'H', 'W'] };
const interleaved = { input: ['h', 'w', 3], output: ['H', 'W', 3] };

/** How many a network takes in one call: one, or as many as are given. */
type Pictures = 1 | 'n';

/** Repeats each pixel `scale` x `scale` times. */
function repeat(from: string, to: string, scale: number): [OnnxNode[], OnnxConstant[]] {
  const channels = 3 * scale ** 2;
  const values = Array.from({ length: channels * 3 }, (_, i) =>
    Math.floor(i / 3 / scale ** 2) === i % 3 ? 1 : 0,
  );
  const name = `${to}.weight`;
  return [
    [
      { kind: 'Conv', inputs: [from, name], output: `${to}.wide` },
      {
        kind: 'DepthToSpace',
        inputs: [`${to}.wide`],
        output: to,
        integers: { blocksize: scale },
        texts: { mode: 'CRD' },
      },
    ],
    [{ name, shape: [channels, 3, 1, 1], values }],
  ];
}

/** The mean of 5 x 5 pixels, zeros beyond the border: depends on 2 pixels around. */
function blur(from: string, to: string): [OnnxNode[], OnnxConstant[]] {
  const values = Array.from({ length: 3 * 3 * 25 }, (_, i) =>
    Math.floor(i / 75) === Math.floor(i / 25) % 3 ? 1 / 25 : 0,
  );
  const name = `${to}.weight`;
  return [
    [{ kind: 'Conv', inputs: [from, name], output: to, lists: { pads: [2, 2, 2, 2] } }],
    [{ name, shape: [3, 3, 5, 5], values }],
  ];
}

function save(
  folder: string,
  name: string,
  parts: { nodes: OnnxNode[]; constants: OnnxConstant[] },
  needs: Partial<NetworkDescriptor> & { scale: number },
  pictures: Pictures = 1,
): NetworkFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.onnx`);
  const { input, output } = needs.layout === 'NHWC' ? interleaved : planes;
  const dims = { input: [pictures, ...input], output: [pictures, ...output] };
  writeFileSync(path, onnxModel({ ...parts, ...dims }));
  return { ...networkFromFile(path, needs), modelId: name };
}

/** Each pixel becomes a square of its own colour. */
export function nearestNetwork(folder: string, scale = 2): NetworkFile {
  const [nodes, constants] = repeat('input', 'output', scale);
  return save(folder, `nearest-x${scale}`, { nodes, constants }, { scale });
}

/** As the nearest one, through a large kernel that keeps each pixel: a picture of a megapixel takes seconds. */
export function slowNetwork(folder: string): NetworkFile {
  const size = 61;
  const taps = size ** 2;
  const values = Array.from({ length: 9 * taps }, (_, i) =>
    i % taps === Math.floor(taps / 2) && Math.floor(i / taps) % 4 === 0 ? 1 : 0,
  );
  const [nodes, constants] = repeat('kept', 'output', 2);
  const pads = Array.from({ length: 4 }, () => Math.floor(size / 2));
  const keep: OnnxNode = {
    kind: 'Conv',
    inputs: ['input', 'kernel'],
    output: 'kept',
    lists: { pads },
  };
  const kernel = { name: 'kernel', shape: [3, 3, size, size], values };
  return save(
    folder,
    'slow',
    { nodes: [keep, ...nodes], constants: [...constants, kernel] },
    { scale: 2 },
  );
}

type ConditionKinds = NonNullable<NetworkDescriptor['condition']>['values'];

/** Darkens by so much of each value that it is told, by default of JPEG and of noise; then as the nearest one. */
export function toldNetwork(
  folder: string,
  scale = 2,
  darkens = [0.1, 0.2],
  values: ConditionKinds = ['jpeg', 'noise'],
): NetworkFile {
  const [nodes, constants] = repeat('darker', 'output', scale);
  const told: OnnxNode[] = [
    { kind: 'MatMul', inputs: ['condition', 'parts'], output: 'damage' },
    { kind: 'Sub', inputs: ['input', 'damage'], output: 'darker' },
  ];
  const count = values.length;
  const parts = { name: 'parts', shape: [count, 1], values: darkens };
  const zeros = { name: 'condition', shape: [1, count], values: values.map(() => 0) };
  const condition = { constant: 'condition', values };
  return save(
    folder,
    `told-${values.join('-')}-x${scale}`,
    { nodes: [...told, ...nodes], constants: [...constants, parts, zeros] },
    { scale, condition },
  );
}

/** Two 5 x 5 means and then squares: its tiles need a margin of 4. */
export function blurNetwork(folder: string, marginPx = 4, pictures: Pictures = 1): NetworkFile {
  const [first, weights] = blur('input', 'one');
  const [second, more] = blur('one', 'two');
  const [last, rest] = repeat('two', 'output', 2);
  const nodes = [...first, ...second, ...last];
  const constants = [...weights, ...more, ...rest];
  const name = `blur-${marginPx}-${pictures}`;
  return save(folder, name, { nodes, constants }, { scale: 2, marginPx }, pictures);
}

/** 0/0 everywhere. */
export function nanNetwork(folder: string): NetworkFile {
  const [nodes, constants] = repeat('nan', 'output', 2);
  const broken: OnnxNode[] = [
    { kind: 'Sub', inputs: ['input', 'input'], output: 'zero' },
    { kind: 'Div', inputs: ['zero', 'zero'], output: 'nan' },
  ];
  return save(folder, 'nan', { nodes: [...broken, ...nodes], constants }, { scale: 2 });
}

/** Middle grey, whatever comes in. */
export function flatNetwork(folder: string): NetworkFile {
  const [nodes, constants] = repeat('flat', 'output', 2);
  const flatten: OnnxNode[] = [
    { kind: 'Mul', inputs: ['input', 'nought'], output: 'dark' },
    { kind: 'Add', inputs: ['dark', 'half'], output: 'flat' },
  ];
  return save(
    folder,
    'flat',
    {
      nodes: [...flatten, ...nodes],
      constants: [...constants, scalar('nought', 0), scalar('half', 0.5)],
    },
    { scale: 2 },
  );
}

/** As the nearest one, with less red and more blue, as of a network that learned from other cameras. */
export function tintNetwork(folder: string): NetworkFile {
  const [nodes, constants] = repeat('tinted', 'output', 2);
  const gains = { name: 'gains', shape: [1, 3, 1, 1], values: [0.85, 1, 1.12] };
  const tint: OnnxNode = { kind: 'Mul', inputs: ['input', 'gains'], output: 'tinted' };
  return save(
    folder,
    'tint',
    { nodes: [tint, ...nodes], constants: [...constants, gains] },
    { scale: 2 },
  );
}

/** The negative: no pixel stays what it was. */
export function invertingNetwork(folder: string): NetworkFile {
  const [nodes, constants] = repeat('negative', 'output', 2);
  const turn: OnnxNode = { kind: 'Sub', inputs: ['one', 'input'], output: 'negative' };
  return save(
    folder,
    'inverting',
    { nodes: [turn, ...nodes], constants: [...constants, scalar('one', 1)] },
    { scale: 2 },
  );
}

/** NHWC, BGR, 0..255, and halves the channel that stands first, which is blue. */
export function halfBlueNetwork(folder: string): NetworkFile {
  const [nodes, constants] = repeat('halved', 'planes', 2);
  const turn: OnnxNode[] = [
    { kind: 'Transpose', inputs: ['input'], output: 'turned', lists: { perm: [0, 3, 1, 2] } },
    { kind: 'Mul', inputs: ['turned', 'gains'], output: 'halved' },
    ...nodes,
    { kind: 'Transpose', inputs: ['planes'], output: 'output', lists: { perm: [0, 2, 3, 1] } },
  ];
  const gains = { name: 'gains', shape: [1, 3, 1, 1], values: [0.5, 1, 1] };
  return save(
    folder,
    'half-blue',
    { nodes: turn, constants: [...constants, gains] },
    { scale: 2, layout: 'NHWC', channels: 'BGR', range: [0, 255] },
  );
}

/** Adds a tenth of the tile's mean: no margin makes its tiles exact. */
export function pooledNetwork(folder: string, pictures: Pictures = 1): NetworkFile {
  const [nodes, constants] = repeat('sum', 'output', 2);
  const pooled: OnnxNode[] = [
    { kind: 'GlobalAveragePool', inputs: ['input'], output: 'mean' },
    { kind: 'Mul', inputs: ['mean', 'tenth'], output: 'part' },
    { kind: 'Add', inputs: ['input', 'part'], output: 'sum' },
  ];
  return save(
    folder,
    `pooled-${pictures}`,
    { nodes: [...pooled, ...nodes], constants: [...constants, scalar('tenth', 0.1)] },
    { scale: 2, tileExact: false, marginPx: 4 },
    pictures,
  );
}
