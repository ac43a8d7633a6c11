/** GET /api/queue/estimate: what all waiting tasks together will make and cost, from what is in their rows. */
import { statfs } from 'node:fs/promises';
import { QueueEstimate } from '../../contract/queue.ts';
import type { Estimate, TaskFailure } from '../../contract/task.ts';
import type { WaitingLook } from '../store/looks.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { estimateWork } from './estimate-work.ts';
import { answers, ref } from '../http/schemas.ts';

export function queueEstimateRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/api/queue/estimate',
    {
      schema: {
        tags: ['queue'],
        summary: 'What all waiting tasks together will make and cost, and which cannot work',
        response: answers({ 200: ref(QueueEstimate) }),
      },
    },
    () => estimateQueue(deps),
  );
}

/** So many tasks use the disk at a time. */
const inFlight = 2;

async function estimateQueue(deps: ApiDeps): Promise<QueueEstimate> {
  const { bavail, bsize } = await statfs(deps.scratchDir);
  const waiting = deps.looks.waitingLooks();
  const estimateOnce = rememberEstimates(deps);
  const sums = { unknown: 0, unmeasured: 0, seconds: 0, resultBytes: 0 };
  const problems: QueueEstimate['problems'] = [];
  let largest: number[] = [];
  for (const task of waiting) {
    const known = await estimateOnce(task);
    const problem: TaskFailure | undefined = known?.problem;
    if (problem) problems.push({ taskId: task.taskId, ...problem });
    if (!known) sums.unknown += 1;
    if (!known || problem) continue;
    if (known.seconds === undefined) sums.unmeasured += 1;
    sums.seconds += known.seconds ?? 0;
    sums.resultBytes += known.fileSizeBytes;
    largest = [...largest, known.scratchBytes].sort((a, b) => b - a).slice(0, inFlight);
  }
  const scratchBytes = largest.reduce((sum, bytes) => sum + bytes, 0);
  return { tasks: waiting.length, ...sums, scratchBytes, freeBytes: bavail * bsize, problems };
}

type Known = Pick<Estimate, 'seconds' | 'fileSizeBytes' | 'scratchBytes' | 'problem'> | undefined;

/** Photos of one camera with the same options are planned once. */
function rememberEstimates(deps: ApiDeps): (task: WaitingLook) => Known | Promise<Known> {
  const known = new Map<string, Known>();
  return (task) => {
    if (known.has(task.sameAs)) return known.get(task.sameAs);
    return estimate(task, deps).then((found) => {
      known.set(task.sameAs, found);
      return found;
    });
  };
}

async function estimate({ look, options }: WaitingLook, deps: ApiDeps): Promise<Known> {
  if (look === undefined || 'not' in look || 'told' in look) return undefined;
  if ('problem' in look) return { fileSizeBytes: 0, scratchBytes: 0, problem: look.problem };
  return estimateWork(look.picture, options, deps);
}
