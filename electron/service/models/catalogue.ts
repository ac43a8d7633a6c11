/**
 * Lists the installed networks. The catalogue is read once from models/catalogue.json, and each file is
 * checked before its first use.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Value } from 'typebox/value';
import type { Settings } from '../../contract/settings/settings.ts';
import { EnlargerError } from '../../contract/errors.ts';
import {
  Catalogue,
  type ModelDescriptor,
  type ModelView,
  type NetworkVariant,
  type UpscalerDescriptor,
} from '../../contract/models/model.ts';
import type { Operation } from '../../contract/request.ts';
import type {
  AnyNetworkFile,
  MaskNetworkFile,
  NetworkFile,
  SpeedMeasurement,
} from '../../engine/protocol/messages.ts';
import { scalesOfModel, viewOf } from './model-view.ts';
import { planScales } from './plan-scales.ts';

export interface ModelCatalogue {
  readonly models: readonly ModelDescriptor[];
  /** Finds a model by its id; the answer is undefined when no such model is installed. */
  find(modelId: string): ModelDescriptor | undefined;
  /** Plans the passes for a scale, largest first, without looking at files. It throws MODEL_UNAVAILABLE. */
  planPasses(modelId: string, scale: number): NetworkFile[];
  /** Plans the passes and checks each file's hash, once per file and process. It throws MODEL_UNAVAILABLE. */
  openPasses(modelId: string, scale: number): Promise<NetworkFile[]>;
  /** Lists the scales that a model can make, the smallest first; the list is empty for an unknown model. */
  scalesOf(modelId: string): number[];
  /** Answers the network that removes backgrounds, without looking at files. It throws MODEL_UNAVAILABLE. */
  maskNetwork(modelId: string): MaskNetworkFile;
  /** Answers the same network after checking each file's hash. It throws MODEL_UNAVAILABLE. */
  openMaskNetwork(modelId: string): Promise<MaskNetworkFile>;
  /** Checks files. It throws MODEL_UNAVAILABLE where a file's hash is not the catalogue's. */
  checkFiles(networks: readonly AnyNetworkFile[]): Promise<void>;
  /** Answers a model as GET /api/models shows it. */
  view(
    model: ModelDescriptor,
    speeds: readonly SpeedMeasurement[],
    defaults: DefaultModels,
  ): ModelView;
  /** Answers all models as GET /api/models shows them. */
  list(speeds: readonly SpeedMeasurement[], defaults: DefaultModels): ModelView[];
}

/** These ids are used when a submit names no model. */
type DefaultModels = Pick<Settings, 'defaultUpscaler' | 'defaultRemover'>;

/** Models that a person added have their files in a folder of their own. */
export interface AddedModels {
  folder: string;
  list(): readonly ModelDescriptor[];
}

/** Opens the catalogue. It throws an Error with a sentence when the catalogue is missing or not valid. */
export function openCatalogue(modelsDir: string, added?: AddedModels): ModelCatalogue {
  const { models: shipped } = readCatalogue(join(modelsDir, 'catalogue.json'));
  const checkOnce = createFileCheck();
  const all = () => [...shipped, ...(added?.list() ?? [])];
  const folderOf = (model: ModelDescriptor) =>
    added && !shipped.includes(model) ? added.folder : modelsDir;
  const find = (modelId: string) => all().find(({ id }) => id === modelId);
  const planPasses = (modelId: string, scale: number) => {
    const model = find(modelId);
    if (model?.task !== 'upscale') throw unknownModel(modelId, all(), 'upscale');
    return planModelPasses(model, scale, folderOf(model));
  };
  const checkFiles = async (networks: readonly AnyNetworkFile[]) => {
    await Promise.all(networks.flatMap(({ variants }) => variants.map(checkOnce)));
  };
  const scalesOf = (modelId: string) => scalesOfModel(find(modelId));
  const maskNetwork = (modelId: string) => {
    const model = find(modelId);
    const network = model?.task === 'remove-bg' ? model.networks[0] : undefined;
    if (!model || !network) throw unknownModel(modelId, all(), 'remove-bg');
    return toFile(modelId, network, folderOf(model));
  };
  const view = (
    model: ModelDescriptor,
    speeds: readonly SpeedMeasurement[],
    usual: DefaultModels,
  ) => {
    const { defaultUpscaler, defaultRemover } = usual;
    const isUsual = model.id === (model.task === 'upscale' ? defaultUpscaler : defaultRemover);
    return viewOf(model, speeds, isUsual);
  };
  return {
    get models() {
      return all();
    },
    find,
    planPasses,
    async openPasses(modelId, scale) {
      const passes = planPasses(modelId, scale);
      await checkFiles(passes);
      return passes;
    },
    scalesOf,
    maskNetwork,
    async openMaskNetwork(modelId) {
      const network = maskNetwork(modelId);
      await checkFiles([network]);
      return network;
    },
    checkFiles,
    view,
    list: (speeds, defaults) => all().map((model) => view(model, speeds, defaults)),
  };
}

function readCatalogue(path: string): Catalogue {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`The catalogue of networks ${path} cannot be read: ${String(cause)}`, {
      cause,
    });
  }
  if (Value.Check(Catalogue, found)) return found;
  const [first] = Value.Errors(Catalogue, found);
  const where = first?.instancePath ?? '';
  throw new Error(
    `The catalogue of networks ${path} is not valid: ${where || 'it'} ${first?.message ?? 'differs from its schema'}.`,
  );
}

function planModelPasses(
  model: UpscalerDescriptor,
  scale: number,
  modelsDir: string,
): NetworkFile[] {
  const scales = planScales(
    model.networks.map((network) => network.scale),
    scale,
  );
  if (!scales) {
    const can = scalesOfModel(model);
    throw new EnlargerError(
      'MODEL_UNAVAILABLE',
      `The model ${model.id} cannot enlarge ${scale} times; it can ${can.join(', ') || 'no scale'}.`,
    );
  }
  return scales.flatMap((wanted) => {
    const network = model.networks.find((candidate) => candidate.scale === wanted);
    return network ? [toFile(model.id, network, modelsDir)] : [];
  });
}

function toFile<Network extends { variants: NetworkVariant[] }>(
  modelId: string,
  network: Network,
  modelsDir: string,
) {
  const variants = network.variants.map((v) => ({ ...v, path: join(modelsDir, v.file) }));
  return { ...network, modelId, variants };
}

/** Hashes each file once. A failure is forgotten, so that the next use checks a repaired file again. */
function createFileCheck() {
  const checks = new Map<string, Promise<void>>();
  return (variant: { path: string; sha256: string }) => {
    const known = checks.get(variant.path);
    if (known) return known;
    const check = assertHash(variant).catch((cause: unknown) => {
      checks.delete(variant.path);
      throw cause;
    });
    checks.set(variant.path, check);
    return check;
  };
}

async function assertHash({ path, sha256 }: { path: string; sha256: string }): Promise<void> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (cause) {
    const message = `The network's file ${path} is missing or cannot be read. Install Enlarger, or add the model, again.`;
    throw new EnlargerError('MODEL_UNAVAILABLE', message, { cause });
  }
  if (hash.digest('hex') === sha256) return;
  throw new EnlargerError(
    'MODEL_UNAVAILABLE',
    `The network's file ${path} is damaged: its hash is not the catalogue's. Install Enlarger, or add the model, again.`,
  );
}

/** Answers the ids of the models for a task, in their order. */
export const idsFor = (task: Operation, models: readonly ModelDescriptor[]): string[] =>
  models.filter((model) => model.task === task).map(({ id }) => id);

function unknownModel(
  modelId: string,
  models: readonly ModelDescriptor[],
  task: Operation,
): EnlargerError {
  const known = idsFor(task, models);
  const there = known.length > 0 ? `Installed are ${known.join(', ')}.` : 'None is installed.';
  return new EnlargerError(
    'MODEL_UNAVAILABLE',
    `There is no model ${modelId} for ${task}. ${there}`,
  );
}
