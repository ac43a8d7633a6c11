/**
 * Converts a network of one channel to one of three colours: it enlarges luma (BT.601), while the colours are
 * enlarged bicubically and get the network's luma. The weights of luma sum to one, so this works in any range
 * of values. The rest of the file is copied.
 */
import type { ByteSource } from './byte-source.ts';
import { fieldsIn, fieldsOf, textIn, type OutputPiece } from './protobuf.ts';
import {
  bytesOfFloats,
  floatsField,
  inputField,
  integersField,
  nodeField,
  outputField,
} from './encode-onnx.ts';
import type { OnnxStructure, TensorInfo } from './read-onnx.ts';
import { copied, withGraph } from './rewrite-onnx.ts';

interface OneChannel {
  input: TensorInfo;
  /** Name of the output that is the enlarged luma. */
  output: string;
  scale: number;
  /** Output pixels that the network crops from each side. */
  trimPx: number;
}

/** Whether a network takes one channel, which is luma. */
export const takesLuma = ({ shape }: TensorInfo): boolean =>
  shape?.length === 4 && shape[1] === 1 && shape[3] !== 3;

/** Names of the rewritten network's input and output. */
export const colourInput = 'colours';
export const colourOutput = 'enlarged_colours';

const luma = [0.299, 0.587, 0.114];

export function colourOnnx(
  source: ByteSource,
  { graph: { at, length }, opset }: Pick<OnnxStructure, 'graph' | 'opset'>,
  { input, output, scale, trimPx }: OneChannel,
): OutputPiece[] {
  const [, , height = 'h', width = 'w'] = input.shape ?? [];
  const before = nodeField('Conv', [colourInput, 'colours.luma'], [input.name]);
  const rest: OutputPiece[] = [];
  for (const field of fieldsOf(source, at, at + length)) {
    if (field.number === 11) {
      const [named] = [...fieldsIn(source, field)];
      if (named?.number === 1 && textIn(source, named) === input.name) continue;
    }
    if (field.number !== 12) rest.push(...copied(source, field));
  }
  const after = [
    ...nodeField('Conv', [colourInput, 'colours.cubic'], ['colours.phases'], {
      pads: [2, 2, 2, 2],
    }),
    ...nodeField('DepthToSpace', ['colours.phases'], ['colours.large'], { blocksize: scale }),
    ...cut('colours.large', 'colours.cut', trimPx, opset),
    ...nodeField('Conv', ['colours.cut', 'colours.luma'], ['colours.soft']),
    ...nodeField('Sub', [output, 'colours.soft'], ['colours.sharper']),
    ...nodeField('Add', ['colours.cut', 'colours.sharper'], [colourOutput]),
  ];
  const constants = [
    ...floatsField('colours.luma', [1, 3, 1, 1], bytesOfFloats(Float32Array.from(luma))),
    ...floatsField('colours.cubic', [3 * scale ** 2, 3, 5, 5], bytesOfFloats(cubicWeights(scale))),
    ...(trimPx > 0 && opset >= 10 ? cropConstants(trimPx) : []),
  ];
  const ends = [
    ...inputField(colourInput, ['batch', 3, height, width]),
    ...outputField(colourOutput, ['batch', 3, 'height_out', 'width_out']),
  ];
  return withGraph(source, [...before, ...rest, ...after, ...constants, ...ends]);
}

/** Cubic convolution kernel with a = -1/2 (Keys 1981). */
function cubicKernel(distance: number): number {
  const d = Math.abs(distance);
  if (d < 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
  return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
}

/** 5 x 5 kernels for each phase of the enlarged pixels, then each colour. */
function cubicWeights(scale: number): Float32Array {
  const along = (phase: number) => {
    const centre = (phase + 0.5) / scale - 0.5;
    return [-2, -1, 0, 1, 2].map((tap) => cubicKernel(centre - tap));
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

/** Crops each side. Slice takes its ranges as inputs from opset 10 on, as attributes before. */
function cut(from: string, to: string, trimPx: number, opset: number): OutputPiece[] {
  if (trimPx === 0) return nodeField('Identity', [from], [to]);
  if (opset >= 10)
    return nodeField('Slice', [from, 'colours.starts', 'colours.ends', 'colours.axes'], [to]);
  return nodeField('Slice', [from], [to], {
    starts: [trimPx, trimPx],
    ends: [-trimPx, -trimPx],
    axes: [2, 3],
  });
}

const cropConstants = (trimPx: number): OutputPiece[] => [
  ...integersField('colours.starts', [trimPx, trimPx]),
  ...integersField('colours.ends', [-trimPx, -trimPx]),
  ...integersField('colours.axes', [2, 3]),
];
