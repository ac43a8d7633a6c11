/**
 * Makes of a network of one channel one of three colours: the network enlarges the brightness (BT.601's
 * luma), and the colours are enlarged by bicubic interpolation and given the network's brightness. The
 * weights of luma add up to one, so this works in any range of values. The rest of the file is copied as it
 * stands.
 */
import type { ByteSource } from '../byte-source.ts';
import { bytesField, fieldsOf, numberField, textIn, type Piece } from '../protobuf.ts';
import type { ReadOnnx, Value } from './read-onnx.ts';
import { copied } from './rewrite-onnx.ts';
import { picture } from './write-onnx.ts';

interface OneChannel {
  input: Value;
  /** The name of the output that is the enlarged brightness. */
  output: string;
  scale: number;
  /** The network cuts this many output pixels off each side. */
  trimPx: number;
}

/** Tells whether a network takes one channel, which is brightness alone. */
export const takesBrightness = ({ shape }: Value): boolean =>
  shape?.length === 4 && shape[1] === 1 && shape[3] !== 3;

/** The rewritten network's input and output have these names. */
export const colourInput = 'colours';
export const colourOutput = 'enlarged_colours';

const luma = [0.299, 0.587, 0.114];
const float = 1;
const whole = 7;

export function colourOnnx(
  source: ByteSource,
  { graph: { at, length }, opset }: Pick<ReadOnnx, 'graph' | 'opset'>,
  { input, output, scale, trimPx }: OneChannel,
): Piece[] {
  const [, , height = 'h', width = 'w'] = input.shape ?? [];
  const before = node('Conv', [colourInput, 'colours.luma'], input.name);
  const rest: Piece[] = [];
  for (const field of fieldsOf(source, at, at + length)) {
    if (field.number === 11) {
      const [named] = [...fieldsOf(source, field.at, field.at + field.value)];
      if (named?.number === 1 && textIn(source, named) === input.name) continue;
    }
    if (field.number !== 12) rest.push(...copied(source, field));
  }
  const after = [
    ...node('Conv', [colourInput, 'colours.cubic'], 'colours.phases', [
      integers('pads', [2, 2, 2, 2]),
    ]),
    ...node('DepthToSpace', ['colours.phases'], 'colours.large', [integer('blocksize', scale)]),
    ...cut('colours.large', 'colours.cut', trimPx, opset),
    ...node('Conv', ['colours.cut', 'colours.luma'], 'colours.soft'),
    ...node('Sub', [output, 'colours.soft'], 'colours.sharper'),
    ...node('Add', ['colours.cut', 'colours.sharper'], colourOutput),
  ];
  const constants = [
    ...floats('colours.luma', [1, 3, 1, 1], Float32Array.from(luma)),
    ...floats('colours.cubic', [3 * scale ** 2, 3, 5, 5], cubicWeights(scale)),
    ...(trimPx > 0 && opset >= 10 ? edges(trimPx) : []),
  ];
  const ends = [
    ...bytesField(11, picture(colourInput, ['batch', 3, height, width])),
    ...bytesField(12, picture(colourOutput, ['batch', 3, 'height_out', 'width_out'])),
  ];
  const pieces: Piece[] = [];
  for (const field of fieldsOf(source, 0, source.size))
    pieces.push(
      ...(field.number === 7
        ? bytesField(7, [...before, ...rest, ...after, ...constants, ...ends])
        : copied(source, field)),
    );
  return pieces;
}

/** Computes Keys' cubic kernel with a = -1/2. */
function keys(distance: number): number {
  const d = Math.abs(distance);
  if (d < 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
  return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
}

/** Gives 5 x 5 kernels for each phase of the enlarged pixels, then each colour. */
function cubicWeights(scale: number): Float32Array {
  const along = (phase: number) => {
    const centre = (phase + 0.5) / scale - 0.5;
    return [-2, -1, 0, 1, 2].map((tap) => keys(centre - tap));
  };
  const weights = new Float32Array(3 * scale ** 2 * 3 * 25);
  for (let y = 0; y < scale; y += 1)
    for (let x = 0; x < scale; x += 1)
      for (let colour = 0; colour < 3; colour += 1) {
        const plane = ((y * scale + x) * 3 + colour) * 3 + colour;
        for (const [i, down] of along(y).entries())
          for (const [j, right] of along(x).entries())
            weights[plane * 25 + i * 5 + j] = down * right;
      }
  return weights;
}

/** Cuts the same off each side. Slice takes its places as inputs since opset 10, and as attributes before. */
function cut(from: string, to: string, trimPx: number, opset: number): Piece[] {
  if (trimPx === 0) return node('Identity', [from], to);
  if (opset >= 10)
    return node('Slice', [from, 'colours.starts', 'colours.ends', 'colours.axes'], to);
  return node('Slice', [from], to, [
    integers('starts', [trimPx, trimPx]),
    integers('ends', [-trimPx, -trimPx]),
    integers('axes', [2, 3]),
  ]);
}

const edges = (trimPx: number): Piece[] => [
  ...wholes('colours.starts', [trimPx, trimPx]),
  ...wholes('colours.ends', [-trimPx, -trimPx]),
  ...wholes('colours.axes', [2, 3]),
];

function node(
  operation: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Piece[][] = [],
): Piece[] {
  return bytesField(1, [
    ...inputs.flatMap((input) => bytesField(1, input)),
    ...bytesField(2, output),
    ...bytesField(4, operation),
    ...attributes.flatMap((attribute) => bytesField(5, attribute)),
  ]);
}

const integer = (name: string, value: number): Piece[] => [
  ...bytesField(1, name),
  ...numberField(3, value),
  ...numberField(20, 2),
];

const integers = (name: string, values: readonly number[]): Piece[] => [
  ...bytesField(1, name),
  ...values.flatMap((value) => numberField(8, value)),
  ...numberField(20, 7),
];

const constant = (name: string, shape: readonly number[], type: number, raw: Uint8Array) =>
  bytesField(5, [
    ...shape.flatMap((side) => numberField(1, side)),
    ...numberField(2, type),
    ...bytesField(8, name),
    ...bytesField(9, [raw]),
  ]);

const floats = (name: string, shape: readonly number[], values: Float32Array) =>
  constant(name, shape, float, new Uint8Array(values.buffer));

const wholes = (name: string, values: readonly number[]) =>
  constant(name, [values.length], whole, new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
