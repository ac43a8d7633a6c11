/** Mask networks made for tests: what is bright is the subject, so every mask can be said beforehand. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  CatalogueFile,
  ClickNetworkDescriptor,
  MaskNetworkDescriptor,
  MaskTuning,
  NetworkVariant,
  RemoverDescriptor,
} from '../../packages/contract/src/models/model.ts';
import { tuningOf } from '../../electron/engine/jobs/cutout/tuning.ts';
import type { Size } from '../../packages/contract/src/geometry.ts';
import type { ClickNetworkFile, MaskNetworkFile } from '../../electron/engine/protocol/messages.ts';
import { catalogued, modelsDir } from './networks.ts';
import { onnxModel, scalar, type OnnxConstant, type OnnxNode } from './networks-onnx.ts';

type Needs = Partial<Omit<MaskNetworkFile, 'variants' | 'modelId'>>;

/** How far the mask of the shipped network counts. */
export const shippedTuning: MaskTuning = shippedTuningOf(
  JSON.parse(readFileSync(join(modelsDir, 'catalogue.json'), 'utf8')) as CatalogueFile,
);

function shippedTuningOf({ models }: CatalogueFile): MaskTuning {
  const network = models.find((model) => model.task === 'remove-bg')?.networks[0];
  if (!network?.tuning) throw new Error('No network that removes backgrounds was tuned for');
  return tuningOf(network);
}

/** Takes a picture of 32 x 32 pixels as it is, and gives its mask. */
export const plainMaskContract: Omit<MaskNetworkDescriptor, 'variants' | 'clicks'> = {
  input: 'input',
  output: 'output',
  layout: 'NCHW',
  channels: 'RGB',
  size: { kind: 'fixed', width: 32, height: 32 },
  fit: 'stretch',
  range: [0, 1],
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
  outputPlane: 0,
  activation: 'none',
  matting: false,
  tuning: shippedTuning,
};

/** A file as a mask network with a plain contract where nothing else is said. */
export function maskNetworkFromFile(path: string, needs: Needs = {}): MaskNetworkFile {
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    modelId: 'cutout',
    ...plainMaskContract,
    ...needs,
    variants: [{ precision: 'fp32', file: path, path, sha256, sizeBytes: bytes.length }],
  };
}

function save(
  folder: string,
  name: string,
  parts: { nodes: OnnxNode[]; constants: OnnxConstant[] },
  needs: Needs,
): MaskNetworkFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.onnx`);
  const dims =
    needs.layout === 'NHWC'
      ? { input: [1, 'h', 'w', 3], output: [1, 'P', 'H', 'W'] }
      : { input: [1, 3, 'h', 'w'], output: [1, 'P', 'H', 'W'] };
  writeFileSync(path, onnxModel({ ...parts, ...dims }));
  return maskNetworkFromFile(path, needs);
}

/** One plane: the mean of the three colours. */
const mean = (from: string, to: string): [OnnxNode, OnnxConstant] => [
  { kind: 'Conv', inputs: [from, `${to}.weight`], output: to },
  { name: `${to}.weight`, shape: [1, 3, 1, 1], values: [1 / 3, 1 / 3, 1 / 3] },
];

/** 0 up to middle grey less a tenth, 1 from middle grey and a tenth on, straight between. */
export function brightNetwork(folder: string, needs: Needs = {}): MaskNetworkFile {
  const [conv, weight] = mean('input', 'mean');
  const nodes: OnnxNode[] = [
    conv,
    { kind: 'Sub', inputs: ['mean', 'half'], output: 'about' },
    { kind: 'Mul', inputs: ['about', 'five'], output: 'steep' },
    { kind: 'Add', inputs: ['steep', 'half'], output: 'free' },
    { kind: 'Clip', inputs: ['free', 'nought', 'one'], output: 'output' },
  ];
  const constants = [weight, scalar('half', 0.5), scalar('five', 5)];
  const limits = [
    { name: 'nought', shape: [], values: [0] },
    { name: 'one', shape: [], values: [1] },
  ];
  return save(folder, 'bright', { nodes, constants: [...constants, ...limits] }, needs);
}

/**
 * As `brightNetwork`, with a network of clicks: one to keep makes all that is brighter than 0.3 the subject, one to
 * remove takes all away that is brighter than 0.8. The rest stays as the mask before.
 */
export function clickableNetwork(folder: string, size: Size): MaskNetworkFile {
  const { width, height } = size;
  const [conv, weight] = mean('input', 'grey');
  const nodes: OnnxNode[] = [
    conv,
    { kind: 'Sub', inputs: ['grey', 'half'], output: 'about' },
    { kind: 'Mul', inputs: ['about', 'five'], output: 'steep' },
    { kind: 'Add', inputs: ['steep', 'half'], output: 'free' },
    { kind: 'Clip', inputs: ['free', 'nought', 'one'], output: 'output' },
  ];
  const limits = [
    { name: 'nought', shape: [], values: [0] },
    { name: 'one', shape: [], values: [1] },
  ];
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'clickable.onnx');
  writeFileSync(
    path,
    onnxModel({
      nodes,
      constants: [weight, scalar('half', 0.5), scalar('five', 5), ...limits],
      input: [1, 3, 'h', 'w'],
      output: [1, 1, 'H', 'W'],
      aside: { name: 'grey', shape: [1, 1, 'H', 'W'] },
    }),
  );
  const clicks = clickNetwork(folder, size);
  return maskNetworkFromFile(path, { size: { kind: 'fixed', width, height }, clicks });
}

function clickNetwork(folder: string, { width, height }: Size): ClickNetworkFile {
  /** One plane of the hints. */
  const plane = (of: number): [OnnxNode, OnnxConstant] => [
    { kind: 'Conv', inputs: ['hints', `plane${of}.weight`], output: `plane${of}` },
    {
      name: `plane${of}.weight`,
      shape: [1, 3, 1, 1],
      values: [0, 1, 2].map((i) => Number(i === of)),
    },
  ];
  /** 1 where the picture is brighter than a level, else 0. */
  const brighter = (level: string, output: string): OnnxNode[] => [
    { kind: 'Sub', inputs: ['grey', level], output: `${output}.over` },
    { kind: 'Mul', inputs: [`${output}.over`, 'steepness'], output: `${output}.steep` },
    { kind: 'Clip', inputs: [`${output}.steep`, 'nought', 'one'], output },
  ];
  const planes = [plane(0), plane(1), plane(2)];
  const nodes: OnnxNode[] = [
    ...planes.map(([conv]) => conv),
    { kind: 'GlobalMaxPool', inputs: ['plane1'], output: 'keeps' },
    { kind: 'GlobalMaxPool', inputs: ['plane2'], output: 'removes' },
    ...brighter('dim', 'thing'),
    ...brighter('pale', 'light'),
    { kind: 'Mul', inputs: ['thing', 'keeps'], output: 'added' },
    { kind: 'Max', inputs: ['plane0', 'added'], output: 'more' },
    { kind: 'Mul', inputs: ['light', 'removes'], output: 'taken' },
    { kind: 'Sub', inputs: ['more', 'taken'], output: 'left' },
    { kind: 'Clip', inputs: ['left', 'nought', 'one'], output: 'output' },
  ];
  const constants = [
    ...planes.map(([, weight]) => weight),
    ...[scalar('dim', 0.3), scalar('pale', 0.8), scalar('steepness', 1000)],
    { name: 'nought', shape: [], values: [0] },
    { name: 'one', shape: [], values: [1] },
  ];
  const path = join(folder, 'clicks.onnx');
  writeFileSync(
    path,
    onnxModel({
      nodes,
      constants,
      others: [
        { name: 'grey', shape: [1, 1, height, width] },
        { name: 'hints', shape: [1, 3, height, width] },
      ],
      output: [1, 1, height, width],
    }),
  );
  const { variants } = maskNetworkFromFile(path);
  return {
    modelId: 'cutout',
    features: ['grey'],
    hints: 'hints',
    output: 'output',
    hintWidth: width,
    hintHeight: height,
    clickRadius: 0.0125,
    variants,
  };
}

/** 0/0 everywhere. */
export function nanMaskNetwork(folder: string): MaskNetworkFile {
  const [conv, weight] = mean('input', 'mean');
  const nodes: OnnxNode[] = [
    conv,
    { kind: 'Sub', inputs: ['mean', 'mean'], output: 'zero' },
    { kind: 'Div', inputs: ['zero', 'zero'], output: 'output' },
  ];
  return save(folder, 'nan-mask', { nodes, constants: [weight] }, {});
}

/** Every network that ships. */
export function shippedMaskNetworks(): MaskNetworkFile[] {
  const text = readFileSync(join(modelsDir, 'catalogue.json'), 'utf8');
  const { models } = JSON.parse(text) as CatalogueFile;
  return models.flatMap((model) => {
    const [network] = model.task === 'remove-bg' ? model.networks : [];
    if (!network) return [];
    const { clicks, ...mask } = network;
    return [
      {
        ...withPaths(model.id, mask),
        ...(clicks && { clicks: withPaths(model.id, clicks) }),
      },
    ];
  });
}

const withPaths = <Network extends { variants: NetworkVariant[] }>(
  modelId: string,
  network: Network,
) => ({
  ...network,
  modelId,
  variants: network.variants.map((v) => ({ ...v, path: join(modelsDir, v.file) })),
});

/** A catalogue's entry for a network. */
export function removerOf({
  modelId: id,
  variants,
  clicks,
  ...contract
}: MaskNetworkFile): RemoverDescriptor {
  return {
    id,
    name: 'Test',
    task: 'remove-bg',
    description: 'What is bright is the subject.',
    licence: 'MIT',
    author: 'Tests',
    networks: [
      {
        ...contract,
        ...(clicks && { clicks: clicksOf(clicks) }),
        variants: variants.map(catalogued),
      },
    ],
  };
}

function clicksOf(network: ClickNetworkFile): ClickNetworkDescriptor {
  const { features, hints, output, hintWidth, hintHeight, clickRadius, variants } = network;
  const contract = { features, hints, output, hintWidth, hintHeight, clickRadius };
  return { ...contract, variants: variants.map(catalogued) };
}
