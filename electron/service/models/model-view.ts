/** Views of models for the API. Pure. */
import type {
  ModelDescriptor,
  ModelView,
  NetworkVariant,
} from '../../../packages/contract/src/models/model.ts';
import { isDialled } from '../../engine/plan/choose-restoring.ts';
import { isCalm } from '../../engine/plan/speeds.ts';
import type { SpeedMeasurement } from '../../engine/protocol/messages.ts';
import { possibleScales } from './plan-scales.ts';

/** Ascending; empty for anything but an upscaler. */
export function scalesOfModel(model: ModelDescriptor | undefined): number[] {
  if (model?.task !== 'upscale') return [];
  return possibleScales(model.networks.map(({ scale }) => scale));
}

/** Form of GET /api/models. */
export function viewOf(
  model: ModelDescriptor,
  speeds: readonly SpeedMeasurement[],
  isDefault: boolean,
): ModelView {
  const { id, name, task, description, licence, author, trainedOn } = model;
  const files = variantsOf(model);
  return {
    id,
    name,
    task,
    description,
    licence,
    author,
    ...(trainedOn === undefined ? {} : { trainedOn }),
    scales: scalesOfModel(model),
    sizeBytes: [...new Map(files.map(({ file, sizeBytes }) => [file, sizeBytes])).values()].reduce(
      (sum, bytes) => sum + bytes,
      0,
    ),
    files: files.map(({ file, precision, sizeBytes, sha256 }) => ({
      file,
      precision,
      sizeBytes,
      sha256,
    })),
    isDefault,
    takesRestore: task === 'upscale' && model.networks.some(({ condition }) => condition),
    takesDetail: task === 'upscale' && model.networks.some(({ condition }) => isDialled(condition)),
    takesClicks: clickNetworksOf(model).length > 0,
    ...(model.origin && { origin: model.origin, ...contractOf(model) }),
    speed: shownSpeeds(speeds.filter(({ modelId }) => modelId === id))
      .toReversed()
      .map(({ scale, provider, precision, megapixelsPerSecond }) => ({
        scale,
        provider,
        precision,
        megapixelsPerSecond,
      })),
  };
}

/** Photos beside other programs of which the median says roughly how fast a model is. */
const minBusyPhotos = 3;

/** The calm speeds of a model; without one, on a machine that is always busy, those that several photos have shown. */
function shownSpeeds(speeds: readonly SpeedMeasurement[]): readonly SpeedMeasurement[] {
  const calm = speeds.filter(isCalm);
  if (calm.length > 0) return calm;
  return speeds.filter(
    ({ isBusy, isDoubtful, recent = [] }) =>
      isBusy && !isDoubtful && recent.length >= minBusyPhotos,
  );
}

/** The files of a model's networks, and of those that belong to them. */
export const variantsOf = (model: ModelDescriptor): NetworkVariant[] =>
  [
    ...model.networks,
    ...clickNetworksOf(model),
    ...blurNetworksOf(model),
    ...decodersOf(model),
  ].flatMap(({ variants }): NetworkVariant[] => variants);

const clickNetworksOf = (model: ModelDescriptor) =>
  model.task === 'remove-bg' ? model.networks.flatMap(({ clicks }) => clicks ?? []) : [];

const blurNetworksOf = (model: ModelDescriptor) =>
  model.task === 'upscale' ? model.networks.flatMap(({ blurNetwork }) => blurNetwork ?? []) : [];

const decodersOf = (model: ModelDescriptor) =>
  model.task === 'select' ? model.networks.map(({ decoder }) => decoder) : [];

function contractOf(model: ModelDescriptor): Pick<ModelView, 'contract'> {
  const [network] = model.task === 'select' ? [] : model.networks;
  if (!network) return {};
  const { variants, ...contract } = network;
  return variants.length > 0 ? { contract } : {};
}
