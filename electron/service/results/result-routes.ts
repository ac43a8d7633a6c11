/** Result links: no key, a signature instead; readable from pages of any origin. */
import { Type } from 'typebox';
import { EnlargerError } from '../../contract/errors.ts';
import { planName, usualTemplate } from '../../contract/naming.ts';
import { namedResult } from './named-result.ts';
import { thumbFormat } from './results.ts';
import { isLinkSigned, linkFiles, type LinkClaim, type LinkFile } from './signed-link.ts';
import type { Task } from '../tasks/task.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { sendFile } from '../http/file-answer.ts';
import { answers } from '../http/schemas.ts';

const ResultParams = Type.Object({ taskId: Type.String(), file: Type.String() });
const ResultQuery = Type.Object({
  expires: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String({ description: 'Hex, as the link has it.' })),
});
const binary = {
  description: 'The file',
  content: { 'image/*': { schema: Type.String({ format: 'binary' }) } },
};

export function resultRoutes(app: Api, deps: ApiDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/results/:taskId/:file',
    config: { open: true },
    schema: {
      tags: ['results'],
      summary: 'A result, by the link that a finished task has',
      params: ResultParams,
      querystring: ResultQuery,
      response: answers(
        { 200: binary, 206: binary },
        'FORBIDDEN_LINK',
        'TASK_NOT_FOUND',
        'RESULT_EXPIRED',
        'RANGE_NOT_SATISFIABLE',
      ),
    },
    handler: async (request, reply) => {
      const claim = claimOf(request.params, request.query);
      const task = resultOf(claim, request.query.signature ?? '', deps);
      const { name, type } = task.files[claim.file];
      return sendFile(request, reply, {
        path: deps.results.pathOf(task.taskId, name),
        type,
        name: downloadName(task, claim.file, name),
        etag: `${task.taskId}-${name}`,
        maxAgeSeconds: Math.floor(Math.max(0, claim.expiresOn - deps.clock.nowMs()) / 1000),
      });
    },
  });
}

type FileClaim = LinkClaim & { file: LinkFile };

function claimOf(params: { taskId: string; file: string }, query: { expires?: string }): FileClaim {
  const stem = params.file.split('.', 1)[0];
  const file = linkFiles.find((known) => known === stem);
  const { expires = '' } = query;
  if (file === undefined || !/^\d{1,15}$/.test(expires)) throw forbidden();
  return { taskId: params.taskId, file, expiresOn: Number(expires) };
}

/** Throws FORBIDDEN_LINK first: who has no valid link learns nothing of tasks. */
function resultOf(claim: FileClaim, signature: string, deps: ApiDeps) {
  if (!isLinkSigned(deps.linkSecret, claim, signature)) throw forbidden();
  const task = deps.tasks.get(claim.taskId);
  if (task?.expired === true || deps.clock.nowMs() >= claim.expiresOn)
    throw new EnlargerError('RESULT_EXPIRED', 'This result has expired; submit the picture again.');
  if (task?.files === undefined)
    throw new EnlargerError('TASK_NOT_FOUND', 'The result of this link is no longer there.');
  return { ...task, files: task.files };
}

function forbidden(): EnlargerError {
  return new EnlargerError(
    'FORBIDDEN_LINK',
    'This link is not signed by this Enlarger. Ask for the task again: its answer has fresh links.',
  );
}

function downloadName(task: Task, file: LinkFile, stored: string): string {
  const { operation, options, createdAt, report } = task;
  if (report === undefined) return stored;
  const result = namedResult(task, report, createdAt);
  if (file === 'thumb') return planName('{name}-thumb', { ...result, format: thumbFormat }, 1);
  return planName(options.name ?? usualTemplate(operation), result, 1);
}
