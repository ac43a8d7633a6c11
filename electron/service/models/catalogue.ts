/**
 * Catalogue of the installed networks: models/catalogue.json, read once, and imported models. Each file's
 * hash is checked before its first use.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Value } from 'typebox/value';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import { defaultSettings } from '../../../packages/contract/src/settings/default-models.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  CatalogueFile,
  idsFor,
  type MaskNetworkDescriptor,
  type ModelDescriptor,
  type ModelTask,
  type ModelView,
  type NetworkDescriptor,
  type NetworkVariant,
  type PromptNetworkDescriptor,
  type UpscalerDescriptor,
} from '../../../packages/contract/src/models/model.ts';
import type {
  AnyNetworkFile,
  MaskNetworkFile,
  NetworkFile,
  PromptNetworkFile,
  SpeedMeasurement,
} from '../../engine/protocol/messages.ts';
import { scalesOfModel, viewOf } from './model-view.ts';
import { planScales } from './plan-scales.ts';

export interface ModelCatalogue {
  readonly models: readonly ModelDescriptor[];
  /** Returns undefined if the model is not installed. */
  find(modelId: string): ModelDescriptor | undefined;
  /** Passes of a scale, largest first, without opening files. @throws EnlargerError MODEL_UNAVAILABLE */
  planPasses(modelId: string, scale: number): NetworkFile[];
  /**
   * Passes of a scale, with each file's hash checked once per process.
   * @throws EnlargerError MODEL_UNAVAILABLE
   */
  openPasses(modelId: string, scale: number): Promise<NetworkFile[]>;
  /** Scales that the model can make, ascending; empty for an unknown model. */
  scalesOf(modelId: string): number[];
  /** The network that removes backgrounds, without opening files. @throws EnlargerError MODEL_UNAVAILABLE */
  maskNetwork(modelId: string): MaskNetworkFile;
  /** The same with each file's hash checked. @throws EnlargerError MODEL_UNAVAILABLE */
  openMaskNetwork(modelId: string): Promise<MaskNetworkFile>;
  /** The network that selects objects, without opening files. @throws EnlargerError MODEL_UNAVAILABLE */
  promptNetwork(modelId: string): PromptNetworkFile;
  /**
   * The same with each file's hash checked; undefined for an id that is empty or not installed any more, where the
   * model that cuts out answers by itself.
   *
   * @throws EnlargerError MODEL_UNAVAILABLE
   */
  openSelector(modelId: string): Promise<PromptNetworkFile | undefined>;
  /** @throws EnlargerError MODEL_UNAVAILABLE if a file's hash is not the catalogue's */
  checkFiles(networks: readonly (AnyNetworkFile | PromptNetworkFile)[]): Promise<void>;
  /** Form of GET /api/models. */
  view(
    model: ModelDescriptor,
    speeds: readonly SpeedMeasurement[],
    defaults: DefaultModels,
  ): ModelView;
  /** Form of GET /api/models. */
  list(speeds: readonly SpeedMeasurement[], defaults: DefaultModels): ModelView[];
}

/** Ids for submits that name no model. */
type DefaultModels = Pick<Settings, (typeof defaultSettings)[ModelTask]>;

/** Imported models, with files in a folder of their own. */
export interface AddedModels {
  folder: string;
  list(): readonly ModelDescriptor[];
}

/**
 * @param packed models that came with a release package; an added one of the same id goes before it
 * @throws Error a sentence, if the catalogue is missing or invalid
 */
export function openCatalogue(
  modelsDir: string,
  added?: AddedModels,
  packed?: AddedModels,
): ModelCatalogue {
  const { models: shipped } = readCatalogue(join(modelsDir, 'catalogue.json'));
  const checkOnce = createFileCheck();
  const isPacked = (model: ModelDescriptor) => packed?.list().includes(model) === true;
  const all = () => {
    const own = added?.list() ?? [];
    const fromPackage = packed?.list() ?? [];
    return [
      ...shipped,
      ...fromPackage.filter(({ id }) => !own.some((one) => one.id === id)),
      ...own,
    ];
  };
  const folderOf = (model: ModelDescriptor) => {
    if (packed && isPacked(model)) return packed.folder;
    return added && !shipped.includes(model) ? added.folder : modelsDir;
  };
  const find = (modelId: string) => all().find(({ id }) => id === modelId);
  const planPasses = (modelId: string, scale: number) => {
    const model = find(modelId);
    if (model?.task !== 'upscale') throw unknownModel(modelId, all(), 'upscale');
    return planModelPasses(model, scale, folderOf(model));
  };
  const checkFiles = async (networks: readonly (AnyNetworkFile | PromptNetworkFile)[]) => {
    await Promise.all(networks.flatMap(filesOf).map(checkOnce));
  };
  const scalesOf = (modelId: string) => scalesOfModel(find(modelId));
  const maskNetwork = (modelId: string) => {
    const model = find(modelId);
    const network = model?.task === 'remove-bg' ? model.networks[0] : undefined;
    if (!model || !network) throw unknownModel(modelId, all(), 'remove-bg');
    return toMaskFile(modelId, network, folderOf(model));
  };
  const promptNetwork = (modelId: string) => {
    const model = find(modelId);
    const network = model?.task === 'select' ? model.networks[0] : undefined;
    if (!model || !network) throw unknownModel(modelId, all(), 'select');
    return toPromptFile(modelId, network, folderOf(model));
  };
  const view = (
    model: ModelDescriptor,
    speeds: readonly SpeedMeasurement[],
    defaults: DefaultModels,
  ) => {
    const isDefault = model.id === defaults[defaultSettings[model.task]];
    return {
      ...viewOf(model, speeds, isDefault),
      ...(isPacked(model) && { isPacked: true as const }),
    };
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
    promptNetwork,
    async openSelector(modelId) {
      if (find(modelId)?.task !== 'select') return undefined;
      const network = promptNetwork(modelId);
      await checkFiles([network]);
      return network;
    },
    checkFiles,
    view,
    list: (speeds, defaults) => all().map((model) => view(model, speeds, defaults)),
  };
}

function readCatalogue(path: string): CatalogueFile {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`The catalogue of networks ${path} cannot be read: ${String(cause)}`, {
      cause,
    });
  }
  if (Value.Check(CatalogueFile, found)) return found;
  const [first] = Value.Errors(CatalogueFile, found);
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
    return network ? [toUpscalerFile(model.id, network, modelsDir)] : [];
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

function toUpscalerFile(
  modelId: string,
  { blurNetwork, ...network }: NetworkDescriptor,
  modelsDir: string,
): NetworkFile {
  return {
    ...toFile(modelId, network, modelsDir),
    ...(blurNetwork && { blurNetwork: toFile(modelId, blurNetwork, modelsDir) }),
  };
}

function toMaskFile(
  modelId: string,
  { clicks, ...network }: MaskNetworkDescriptor,
  modelsDir: string,
): MaskNetworkFile {
  return {
    ...toFile(modelId, network, modelsDir),
    ...(clicks && { clicks: toFile(modelId, clicks, modelsDir) }),
  };
}

function toPromptFile(
  modelId: string,
  { decoder, ...network }: PromptNetworkDescriptor,
  modelsDir: string,
): PromptNetworkFile {
  return {
    ...toFile(modelId, network, modelsDir),
    decoder: toFile(modelId, decoder, modelsDir),
  };
}

/** The files of a network, and of the one that goes with it. */
const filesOf = (network: AnyNetworkFile | PromptNetworkFile) => [
  ...network.variants,
  ...('decoder' in network ? network.decoder.variants : []),
  ...('clicks' in network ? network.clicks.variants : []),
  ...('blurNetwork' in network ? network.blurNetwork.variants : []),
];

/** Hashes each file once. Failures are not cached, so that a repaired file is checked again. */
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

function unknownModel(
  modelId: string,
  models: readonly ModelDescriptor[],
  task: ModelTask,
): EnlargerError {
  const known = idsFor(task, models);
  const there = known.length > 0 ? `Installed are ${known.join(', ')}.` : 'None is installed.';
  return new EnlargerError(
    'MODEL_UNAVAILABLE',
    `There is no model ${modelId} for ${task}. ${there}`,
  );
}
