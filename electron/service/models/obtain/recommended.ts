/** The set of models that is recommended for this machine. Nothing of it is fetched unless it is asked for. */
import { totalmem } from 'node:os';
import type {
  Download,
  MachineKind,
  ObtainableModel,
  RecommendedModels,
} from '../../../../packages/contract/src/models/obtainable.ts';
import {
  defaultWithinSeconds,
  downloadBytes,
  isInstalledFrom,
} from '../../../../packages/contract/src/models/downloads.ts';
import type { ModelDescriptor } from '../../../../packages/contract/src/models/model.ts';
import type { EngineHost } from '../../../engine/host/host.ts';
import type { DeviceReport } from '../../../engine/protocol/messages.ts';
import type { Downloads } from './downloads.ts';

export interface RecommendedSet {
  view(): Promise<RecommendedModels>;
  /** Starts the downloads of those that are not installed, and returns them. */
  fetch(): Promise<Download[]>;
}

interface RecommendedDeps {
  downloads: Pick<Downloads<ObtainableModel>, 'things' | 'start'>;
  models: { readonly models: readonly ModelDescriptor[] };
  engine: Pick<EngineHost, 'devices'>;
  /** Largest memory of a graphics card in megabytes; undefined: none has its own, or it is not known. */
  cardMegabytes: () => Promise<number | undefined>;
  /** Called for each model that is about to be fetched. */
  onFetch: (model: ObtainableModel) => void;
}

export interface MachineFacts {
  kind: MachineKind;
  /** Of the graphics card for `card`, else of the machine. */
  megabytes: number;
}

/** Cards with less memory share that of the machine, or are no faster than what is built into processors. */
const minCardMegabytes = 3500;

export function createRecommendedSet(deps: RecommendedDeps): RecommendedSet {
  const { downloads, models, engine, onFetch } = deps;
  const find = async () => {
    const { devices } = await engine.devices();
    const system = { platform: process.platform, arch: process.arch };
    const machine = machineOf(devices, await deps.cardMegabytes(), {
      ...system,
      megabytes: totalmem() / 1e6,
    });
    const recommended = recommendedFor(downloads.things, machine);
    const installed = recommended.filter((model) => isInstalledFrom(model, models.models));
    return { machine, recommended, missing: recommended.filter((one) => !installed.includes(one)) };
  };
  return {
    async view() {
      const { machine, recommended, missing } = await find();
      return {
        machine: machine.kind,
        models: recommended,
        installedIds: recommended.filter((one) => !missing.includes(one)).map(({ id }) => id),
        missingBytes: missing.reduce((sum, one) => sum + (downloadBytes(one) ?? 0), 0),
        defaultWithinSeconds,
      };
    },
    async fetch() {
      const { missing } = await find();
      return missing.map((model) => {
        onFetch(model);
        return downloads.start(model.id);
      });
    },
  };
}

/** @param cardMegabytes largest memory of a graphics card */
export function machineOf(
  devices: DeviceReport['devices'],
  cardMegabytes: number | undefined,
  system: { platform: NodeJS.Platform; arch: string; megabytes: number },
): MachineFacts {
  const { megabytes } = system;
  if (system.platform === 'darwin' && system.arch === 'arm64') return { kind: 'apple', megabytes };
  const used = devices.find(({ state }) => state === 'in-use')?.provider ?? 'cpu';
  if (used === 'cpu') return { kind: 'cpu', megabytes };
  if (cardMegabytes === undefined || cardMegabytes < minCardMegabytes)
    return { kind: 'integrated', megabytes };
  return { kind: 'card', megabytes: cardMegabytes };
}

/** In the order of the list. */
export const recommendedFor = (
  models: readonly ObtainableModel[],
  { kind, megabytes }: MachineFacts,
): ObtainableModel[] =>
  models.filter(({ recommendedFor: machines }) => {
    const needed = machines?.[kind];
    return needed !== undefined && megabytes >= needed;
  });
