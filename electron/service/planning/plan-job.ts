/** Builds the engine's job of a task: its networks, and its options in the engine's form. */
import { pickDefined, keysOf } from '../../../packages/contract/src/pick-defined.ts';
import {
  edgeChoices,
  finishingChoices,
  placingChoices,
} from '../../../packages/contract/src/request.ts';
import type {
  AmountArea,
  AnyNetworkFile,
  Enlargement,
  Job,
  JobFrame,
  PlanningFields,
  PromptNetworkFile,
  SizeTarget,
  OperationFields,
} from '../../engine/protocol/messages.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import { defaultScale } from '../models/plan-scales.ts';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import type { TaskOptions } from '../../../packages/contract/src/task.ts';
import { preempts } from '../store/tasks/transitions.ts';
import type { Task, TaskWork } from '../store/tasks/task.ts';
import { limitsOf } from '../sources/local-source.ts';

type NetworkPlanner = Pick<
  ModelCatalogue,
  'scalesOf' | 'planPasses' | 'maskNetwork' | 'promptNetwork'
>;

export type JobWork = OperationFields<Job>;

/** Job work without opening files. @throws EnlargerError MODEL_UNAVAILABLE */
export function workOf({ operation, options }: TaskWork, networks: NetworkPlanner): JobWork {
  const { background = 'transparent', maskOnly = false, strokes = [], enlarge } = options;
  if (operation === 'convert') return { operation, ...pickDefined(options, ['background']) };
  if (operation === 'upscale') {
    const amountArea = amountAreaOf(options, networks);
    return { operation, ...enlargementOf(options, networks), ...(amountArea && { amountArea }) };
  }
  return {
    operation,
    network: networks.maskNetwork(options.model),
    ...(options.selector !== undefined && { selector: networks.promptNetwork(options.selector) }),
    background,
    maskOnly,
    strokes,
    ...(enlarge && {
      enlarge: { ...enlargementOf(enlarge, networks), first: enlarge.first },
    }),
    // A URL until the attempt has fetched the file.
    ...(options.backgroundImage !== undefined && { backgroundPath: options.backgroundImage }),
    ...pickDefined(options, ['crop', 'target', ...keysOf(edgeChoices), ...keysOf(placingChoices)]),
  };
}

function amountAreaOf(
  { amountMask: kind, maskModel, strokes = [] }: TaskOptions,
  networks: Pick<NetworkPlanner, 'maskNetwork'>,
): AmountArea | undefined {
  if (kind === undefined) return undefined;
  if (kind === 'everywhere' || kind === 'painted') return { kind, strokes };
  if (maskModel === undefined) return undefined;
  return { kind, network: networks.maskNetwork(maskModel), strokes };
}

/** Job work after checking each network's file. @throws EnlargerError MODEL_UNAVAILABLE */
export async function openWork(
  task: TaskWork,
  networks: NetworkPlanner & Pick<ModelCatalogue, 'checkFiles'>,
): Promise<JobWork> {
  const work = workOf(task, networks);
  await networks.checkFiles(networksOf(work));
  return work;
}

function networksOf(work: JobWork): (AnyNetworkFile | PromptNetworkFile)[] {
  if (work.operation === 'convert') return [];
  const enlargement = work.operation === 'upscale' ? work : work.enlarge;
  const { amountArea } = work.operation === 'upscale' ? work : {};
  return [
    ...(work.operation === 'remove-bg' ? [work.network, work.selector ?? []].flat() : []),
    ...(amountArea && 'network' in amountArea ? [amountArea.network] : []),
    ...(enlargement ? [...enlargement.passes, ...(enlargement.choices ?? []).flat()] : []),
  ];
}

/** For a target size the engine picks among all scales, since it alone knows the picture's size. */
function enlargementOf(
  options: Pick<TaskOptions, 'model' | 'scale' | 'target' | keyof typeof finishingChoices>,
  networks: NetworkPlanner,
): Enlargement {
  const { model } = options;
  const makes = networks.scalesOf(model);
  const scale = options.scale ?? defaultScale(makes);
  const finishing = pickDefined(options, keysOf(finishingChoices));
  const target = options.target ?? resizedTo(scale, makes);
  if (!target) return { passes: networks.planPasses(model, scale), ...finishing };
  const choices = makes.map((one) => networks.planPasses(model, one));
  return { passes: choices[0] ?? [], choices, target, ...finishing };
}

/** Target for a scale that no network has: the result of the nearest one is resized to it. */
const resizedTo = (scale: number, makes: readonly number[]): SizeTarget | undefined =>
  makes.includes(scale) || !makes.some((one) => one > scale)
    ? undefined
    : { kind: 'factor', value: scale };

/** The part of the job's frame that its plan depends on. */
export const plannedFrame = (options: TaskOptions, settings: Settings): PlanningFields => ({
  ...pickDefined(options, ['format', 'formatChosen', 'quality', 'bitDepth']),
  limits: limitsOf(settings),
});

type JobPaths = Pick<
  JobFrame,
  'sourcePath' | 'scratchDir' | 'keptDir' | 'outputPath' | 'thumbPath' | 'views'
>;

interface PlanJobOptions {
  settings: () => Settings;
  /** Version of Enlarger, e.g. 1.2.0. */
  version: string;
}

/** The complete job. After one engine crash it runs on the CPU. */
export function planJob(
  task: Task,
  { settings: currentSettings, version }: PlanJobOptions,
  paths: JobPaths,
  work: JobWork,
): Job {
  const { options } = task;
  const printSize = options.printSize ?? options.enlarge?.printSize;
  const settings = currentSettings();
  return {
    jobId: `${task.taskId}-${task.attempts}`,
    ...paths,
    ...work,
    ...plannedFrame(options, settings),
    metadata: options.metadata,
    ...(printSize && { ppi: printSize.ppi }),
    ...(settings.nameInMetadata && { history: `Enlarger ${version}` }),
    ...(work.operation === 'remove-bg' && preempts(task) && { preempts: true }),
    device: task.engineDeaths > 0 ? 'cpu' : settings.device,
    keepAliveMs: settings.keepAliveMinutes * 60_000,
  };
}
