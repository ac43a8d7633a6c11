/** Signed result links: no key required, readable by pages of any origin. */
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { planName, defaultTemplate } from '../../../packages/contract/src/naming.ts';
import { namedResult } from '../results/named-result.ts';
import { thumbFormat, type Results } from '../results/results.ts';
import { linkedTask, linkFiles, LinkQuery, type LinkFile } from '../results/signed-link.ts';
import { isFinished, type FinishedTask } from '../store/tasks/task.ts';
import { type Api, sendFile, answers, pictureAnswer } from '../../../packages/http/src/index.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { Tasks } from '../tasks/tasks.ts';

export interface ResultDeps {
  tasks: Pick<Tasks, 'get' | 'isExpired'>;
  results: Pick<Results, 'pathOf'>;
  linkSecret: Buffer;
  clock: Pick<ServiceClock, 'nowMs'>;
}

const ResultParams = Type.Object({ taskId: Type.String(), file: Type.String() });
const binary = pictureAnswer('The file');

export function resultRoutes(app: Api, deps: ResultDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/results/:taskId/:file',
    config: { open: true },
    schema: {
      tags: ['results'],
      summary: 'Get a result by its signed link',
      params: ResultParams,
      querystring: LinkQuery,
      response: answers(
        { 200: binary, 206: binary },
        'FORBIDDEN_LINK',
        'TASK_NOT_FOUND',
        'RESULT_EXPIRED',
        'RANGE_NOT_SATISFIABLE',
      ),
    },
    handler: async (request, reply) => {
      const { taskId } = request.params;
      const stem = request.params.file.split('.', 1)[0];
      const file = linkFiles.find((known) => known === stem);
      const { task, maxAgeSeconds } = linkedTask({ taskId, file, query: request.query }, deps);
      if (!file || !isFinished(task))
        throw new EnlargerError('TASK_NOT_FOUND', 'The result of this link is no longer there.');
      const { name, type } = task.files[file];
      return sendFile(request, reply, {
        path: deps.results.pathOf(taskId, name),
        type,
        name: downloadName(task, file),
        etag: `${taskId}-${name}`,
        maxAgeSeconds,
      });
    },
  });
}

function downloadName(task: FinishedTask, file: LinkFile): string {
  const { operation, options, createdAt, report } = task;
  const result = namedResult(task, report, createdAt);
  if (file === 'thumb') return planName('{name}-thumb', { ...result, format: thumbFormat }, 1);
  return planName(options.name ?? defaultTemplate(operation), result, 1);
}
