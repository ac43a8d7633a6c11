/** Mask networks made for tests: what is bright is the subject, so every mask can be said beforehand. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  CatalogueFile,
  MaskNetworkDescriptor,
  MaskTuning,
  RemoverDescriptor,
} from '../../electron/contract/models/model.ts';
import { tuningOf } from '../../electron/engine/jobs/cutout/tuning.ts';
import type { MaskNetworkFile } from '../../electron/engine/protocol/messages.ts';
import { catalogued, modelsDir } from './networks.ts';
import { onnxModel, scalar, type OnnxConstant, type OnnxNode } from './networks-onnx.ts';

type Needs = Partial<Omit<MaskNetworkDescriptor, 'variants'>>;

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
export const plainMaskContract: Omit<MaskNetworkDescriptor, 'variants'> = {
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
    const variants = network.variants.map((v) => ({ ...v, path: join(modelsDir, v.file) }));
    return [{ ...network, modelId: model.id, variants }];
  });
}

/** A catalogue's entry for a network. */
export function removerOf({
  modelId: id,
  variants,
  ...contract
}: MaskNetworkFile): RemoverDescriptor {
  return {
    id,
    name: 'Test',
    task: 'remove-bg',
    description: 'What is bright is the subject.',
    licence: 'MIT',
    author: 'Tests',
    networks: [{ ...contract, variants: variants.map(catalogued) }],
  };
}
