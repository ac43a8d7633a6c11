/** What the engine is asked for a task: its networks opened, its options as the engine takes them. */
import { given, namesOf } from '../../contract/given.ts';
import { edgeChoices, finishingChoices, placingChoices } from '../../contract/submit.ts';
import type { Enlargement, Job, JobFrame, SizeWish } from '../../engine/protocol.ts';
import { usualScale } from '../models/plan-scales.ts';
import type { TaskOptions } from '../../contract/task.ts';
import type { StoredTask } from '../store/stored-task.ts';
import type { TaskSteps } from '../tasks/task-steps.ts';

type Networks = Pick<TaskSteps, 'scalesOf' | 'openPasses' | 'openChoices' | 'openMaskNetwork'>;

type WithoutFrame<Any> = Any extends JobFrame ? Omit<Any, keyof JobFrame> : never;

/** What of a job depends on its operation. */
export type JobWork = WithoutFrame<Job>;

/** Throws MODEL_UNAVAILABLE. */
export function openWork(task: StoredTask, networks: Networks): Promise<JobWork> {
  if (task.operation === 'convert') return Promise.resolve(openConvert(task));
  return task.operation === 'upscale' ? openUpscale(task, networks) : openCutout(task, networks);
}

async function openUpscale({ options }: StoredTask, networks: Networks): Promise<JobWork> {
  return { operation: 'upscale', ...(await openEnlargement(options, networks)) };
}

/** For a size to reach, the engine chooses among all: only it knows the picture's own. */
async function openEnlargement(
  options: Pick<TaskOptions, 'model' | 'scale' | 'target' | keyof typeof finishingChoices>,
  networks: Networks,
): Promise<Enlargement> {
  const { model } = options;
  const makes = networks.scalesOf(model);
  const scale = options.scale ?? usualScale(makes);
  const finishing = given(options, namesOf(finishingChoices));
  const target = options.target ?? reducedTo(scale, makes);
  if (!target) return { passes: await networks.openPasses(model, scale), ...finishing };
  const choices = await networks.openChoices(model);
  return { passes: choices[0] ?? [], choices, target, ...finishing };
}

/** A scale between those that the model makes is reached from the next one. */
const reducedTo = (scale: number, makes: readonly number[]): SizeWish | undefined =>
  makes.includes(scale) || !makes.some((one) => one > scale)
    ? undefined
    : { kind: 'factor', value: scale };

async function openCutout({ options }: StoredTask, networks: Networks): Promise<JobWork> {
  const { model, background = 'transparent', maskOnly = false, strokes = [], enlarge } = options;
  const network = await networks.openMaskNetwork(model);
  return {
    operation: 'remove-bg',
    network,
    background,
    maskOnly,
    strokes,
    ...(enlarge && {
      enlarge: { ...(await openEnlargement(enlarge, networks)), first: enlarge.first },
    }),
    ...given(options, ['crop', 'target', ...namesOf(edgeChoices), ...namesOf(placingChoices)]),
  };
}

function openConvert({ options: { background } }: StoredTask): JobWork {
  return { operation: 'convert', ...(background === undefined ? {} : { background }) };
}

type JobPlaces = Pick<JobFrame, 'sourcePath' | 'scratchDir' | 'outputPath' | 'thumbPath' | 'views'>;

/** After one death of the engine the job asks for the CPU. */
export function planJob(
  task: StoredTask,
  steps: Pick<TaskSteps, 'settings' | 'version'>,
  places: JobPlaces,
  work: JobWork,
): Job {
  const { options } = task;
  const printSize = options.printSize ?? options.enlarge?.printSize;
  const settings = steps.settings();
  return {
    jobId: `${task.taskId}-${task.attempts}`,
    ...places,
    ...work,
    ...given(options, ['format', 'formatChosen', 'quality', 'bitDepth', 'metadata']),
    ...(printSize && { ppi: printSize.ppi }),
    ...(settings.nameInMetadata && { history: `Enlarger ${steps.version}` }),
    limits: { sourcePixels: settings.maxSourcePixels, resultPixels: settings.maxResultPixels },
    device: task.engineDeaths > 0 ? 'cpu' : settings.device,
    keepAliveMs: settings.keepAliveMinutes * 60_000,
  };
}
