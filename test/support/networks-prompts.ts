/**
 * Networks for prompts made for tests, under the names of published exports: a click selects all that is as bright as
 * the place that was clicked, except what is as bright as a place that is not the object. A box selects what is bright
 * in it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onnxModel, type OnnxConstant, type OnnxNode } from './networks-onnx.ts';

export type PromptExport = 'sam' | 'sam-preprocessed' | 'sam2' | 'zim';

/** Side of the encoder's square. */
export const promptSidePx = 64;
/** Places differ from the clicked one by at most so much. */
const likeness = 0.15;
/** Alpha of what ZIM's export selects. */
export const promptAlpha = 0.7;

const side = promptSidePx;
const square = [1, 1, side, side];
const list = (name: string, values: number[], shape = [values.length]): OnnxConstant => ({
  name,
  shape,
  values,
});
const integers = 7;
const toIntegers = (name: string): OnnxNode => ({
  kind: 'Cast',
  inputs: [`${name}.float`],
  output: name,
  integers: { to: integers },
});

const featuresOf = {
  sam: ['image_embeddings'],
  'sam-preprocessed': ['image_embeddings'],
  sam2: ['image_embed', 'high_res_feats_0'],
  zim: ['image_embeddings', 'feat_D0'],
};

/** Writes encoder and decoder. Returns their paths. */
export function promptPair(folder: string, kind: PromptExport): [encoder: string, decoder: string] {
  mkdirSync(folder, { recursive: true });
  const paths: [string, string] = [
    join(folder, `${kind}.encoder.onnx`),
    join(folder, `${kind}.decoder.onnx`),
  ];
  writeFileSync(paths[0], kind === 'sam-preprocessed' ? rawEncoder() : encoder(kind));
  writeFileSync(paths[1], decoder(kind));
  return paths;
}

/** Takes ImageNet's values and gives the brightness, 0..1, as every feature. */
function encoder(kind: PromptExport): Uint8Array {
  const features = featuresOf[kind];
  return onnxModel({
    nodes: [
      { kind: 'Conv', inputs: ['input', 'deviation', 'mean'], output: 'grey' },
      ...features.map((output): OnnxNode => ({ kind: 'Identity', inputs: ['grey'], output })),
    ],
    constants: [
      list('deviation', [0.229 / 3, 0.224 / 3, 0.225 / 3], [1, 3, 1, 1]),
      list('mean', [(0.485 + 0.456 + 0.406) / 3]),
    ],
    input: [1, 3, side, side],
    outputs: features.map((name) => ({ name, shape: square })),
  });
}

/** Takes [height, width, 3] of 0..255, and pads by itself. */
function rawEncoder(): Uint8Array {
  return onnxModel({
    nodes: [
      {
        kind: 'ReduceMean',
        inputs: ['input'],
        output: 'mean',
        lists: { axes: [2] },
        integers: { keepdims: 0 },
      },
      { kind: 'Div', inputs: ['mean', 'white'], output: 'grey' },
      { kind: 'Shape', inputs: ['grey'], output: 'size' },
      toIntegers('whole'),
      toIntegers('nothing'),
      { kind: 'Sub', inputs: ['whole', 'size'], output: 'missing' },
      { kind: 'Concat', inputs: ['nothing', 'missing'], output: 'pads', integers: { axis: 0 } },
      { kind: 'Pad', inputs: ['grey', 'pads'], output: 'padded' },
      toIntegers('square'),
      { kind: 'Reshape', inputs: ['padded', 'square'], output: 'image_embeddings' },
    ],
    constants: [
      list('white', [255]),
      list('whole.float', [side, side]),
      list('nothing.float', [0, 0]),
      list('square.float', square),
    ],
    input: ['image_height', 'image_width', 3],
    outputs: [{ name: 'image_embeddings', shape: square }],
  });
}

/** Logits of 0 and 1, as far as they go. */
const logits = { out: -12, in: 12, alpha: Math.log(promptAlpha / (1 - promptAlpha)) };

function decoder(kind: PromptExport): Uint8Array {
  const [feature = ''] = featuresOf[kind];
  const isSam = kind === 'sam' || kind === 'sam-preprocessed';
  const high = kind === 'zim' ? logits.alpha : logits.in;
  const output = isSam ? 'low_res_masks' : 'masks';
  return onnxModel({
    nodes: [...clickNodes(feature), ...boxNodes(), ...answerNodes(output), ...unusedNodes(kind)],
    constants: [
      list('half', [0.5]),
      list('one', [1]),
      list('toGrid', [2 / side]),
      list('grid.float', [1, 1, -1, 2]),
      list('column.float', [side * side, 1]),
      list('row.float', [1, -1]),
      list('square.float', square),
      list('pixel.float', [1, 1, 1, 1]),
      list('first.float', [0]),
      list('last.float', [-1]),
      list('x.float', [0]),
      list('y.float', [1]),
      list('likeness', [likeness]),
      list('steep', [1000]),
      list('nought', [0], []),
      list('unit', [1], []),
      list(
        'across',
        Array.from({ length: side * side }, (_, at) => (at % side) + 0.5),
        square,
      ),
      list(
        'down',
        Array.from({ length: side * side }, (_, at) => Math.floor(at / side) + 0.5),
        square,
      ),
      list('span', [high - logits.out]),
      list('low', [logits.out]),
      list('iou_predictions.value', [0.9], [1, 1]),
    ],
    others: [
      ...featuresOf[kind].map((name) => ({ name, shape: square })),
      { name: 'point_coords', shape: [1, 'points', 2] },
      { name: 'point_labels', shape: [1, 'points'] },
      ...(kind === 'zim'
        ? [{ name: 'attn_mask', shape: [1, 16, 16] }]
        : [
            { name: 'mask_input', shape: [1, 1, side / 4, side / 4] },
            { name: 'has_mask_input', shape: [1] },
          ]),
      ...(isSam ? [{ name: 'orig_im_size', shape: [2] }] : []),
    ],
    outputs: [
      // As in real exports, whose first output is made for the exporter's picture.
      ...(isSam ? [{ name: 'masks', shape: [1, 1, 1, 1] }] : []),
      { name: 'iou_predictions', shape: [1, 1] },
      { name: output, shape: square },
    ],
  });
}

/** `clicked`: as bright as a point of label 1 and as none of label 0. */
const clickNodes = (feature: string): OnnxNode[] => [
  ...['grid', 'column', 'row', 'square', 'first', 'last', 'x', 'y'].map(toIntegers),
  { kind: 'Mul', inputs: ['point_coords', 'toGrid'], output: 'scaled' },
  { kind: 'Sub', inputs: ['scaled', 'one'], output: 'centred' },
  { kind: 'Reshape', inputs: ['centred', 'grid'], output: 'sampled' },
  {
    kind: 'GridSample',
    inputs: [feature, 'sampled'],
    output: 'there',
    texts: { mode: 'nearest', padding_mode: 'border' },
  },
  { kind: 'Reshape', inputs: ['there', 'row'], output: 'levels' },
  { kind: 'Reshape', inputs: [feature, 'column'], output: 'pixels' },
  { kind: 'Sub', inputs: ['pixels', 'levels'], output: 'difference' },
  { kind: 'Abs', inputs: ['difference'], output: 'distance' },
  { kind: 'Sub', inputs: ['likeness', 'distance'], output: 'under' },
  { kind: 'Mul', inputs: ['under', 'steep'], output: 'steeply' },
  { kind: 'Clip', inputs: ['steeply', 'nought', 'unit'], output: 'alike' },
  ...labelNodes('point_labels', 'other'),
  { kind: 'Sub', inputs: ['point_labels', 'one'], output: 'fromOne' },
  ...labelNodes('fromOne', 'own'),
  { kind: 'Sub', inputs: ['own.most', 'other.most'], output: 'selected' },
  { kind: 'Clip', inputs: ['selected', 'nought', 'unit'], output: 'only' },
  { kind: 'Reshape', inputs: ['only', 'square'], output: 'clicked' },
];

/** How much each pixel is like a point whose number is 0. */
const labelNodes = (numbers: string, output: string): OnnxNode[] => [
  { kind: 'Abs', inputs: [numbers], output: `${output}.away` },
  { kind: 'Sub', inputs: ['one', `${output}.away`], output: `${output}.near` },
  { kind: 'Clip', inputs: [`${output}.near`, 'nought', 'unit'], output: `${output}.is` },
  { kind: 'Mul', inputs: ['alike', `${output}.is`], output: `${output}.each` },
  { kind: 'ReduceMax', inputs: [`${output}.each`], output: `${output}.most`, lists: { axes: [1] } },
];

/** `boxed`: between the first and the last point, and like a white place. `isBox`: a label is above 1. */
const boxNodes = (): OnnxNode[] => {
  const corner = (end: string, axis: string): OnnxNode[] => [
    {
      kind: 'Gather',
      inputs: ['point_coords', end],
      output: `${end}.${axis}.point`,
      integers: { axis: 1 },
    },
    {
      kind: 'Gather',
      inputs: [`${end}.${axis}.point`, axis],
      output: `${end}.${axis}`,
      integers: { axis: 2 },
    },
  ];
  const beyond = (from: string, to: string, output: string): OnnxNode[] => [
    { kind: 'Sub', inputs: [to, from], output: `${output}.by` },
    { kind: 'Mul', inputs: [`${output}.by`, 'steep'], output: `${output}.steep` },
    { kind: 'Clip', inputs: [`${output}.steep`, 'nought', 'unit'], output },
  ];
  return [
    ...['first', 'last'].flatMap((end) => ['x', 'y'].flatMap((axis) => corner(end, axis))),
    ...beyond('first.x', 'across', 'right'),
    ...beyond('across', 'last.x', 'left'),
    ...beyond('first.y', 'down', 'below'),
    ...beyond('down', 'last.y', 'above'),
    { kind: 'Reshape', inputs: ['pixels', 'square'], output: 'greys' },
    ...beyond('half', 'greys', 'bright'),
    { kind: 'Min', inputs: ['right', 'left', 'below', 'above', 'bright'], output: 'boxed' },
    { kind: 'ReduceMax', inputs: ['point_labels'], output: 'most', integers: { keepdims: 0 } },
    { kind: 'Sub', inputs: ['most', 'one'], output: 'over' },
    { kind: 'Clip', inputs: ['over', 'nought', 'unit'], output: 'isBox' },
  ];
};

const answerNodes = (output: string): OnnxNode[] => [
  { kind: 'Sub', inputs: ['one', 'isBox'], output: 'isClick' },
  { kind: 'Mul', inputs: ['boxed', 'isBox'], output: 'ofBox' },
  { kind: 'Mul', inputs: ['clicked', 'isClick'], output: 'ofClick' },
  { kind: 'Add', inputs: ['ofBox', 'ofClick'], output: 'object' },
  { kind: 'Mul', inputs: ['object', 'span'], output: 'raised' },
  { kind: 'Add', inputs: ['raised', 'low'], output },
  { kind: 'Identity', inputs: ['iou_predictions.value'], output: 'iou_predictions' },
];

/** Keeps inputs that decide nothing here from being left out. */
const unusedNodes = (kind: PromptExport): OnnxNode[] =>
  kind === 'sam' || kind === 'sam-preprocessed'
    ? [toIntegers('pixel'), { kind: 'Reshape', inputs: ['half', 'pixel'], output: 'masks' }]
    : [];
