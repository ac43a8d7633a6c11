/** GET /api/task/{id}/changes and /mask: where the network changed a picture, and what it cut out. */
import { Type } from 'typebox';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers } from '../http/schemas.ts';
import { presentTask } from '../tasks/present-task.ts';
import { TaskParams } from '../tasks/task-routes.ts';

const png = {
  description: 'The map',
  content: { 'image/png': { schema: Type.String({ format: 'binary' }) } },
};

export function changesRoutes(app: Api, deps: ApiDeps): void {
  const { views } = deps;
  const addMap = (
    name: 'changes' | 'mask',
    words: { summary: string; description: string },
  ): void => {
    app.get(
      `/api/task/:taskId/${name}`,
      {
        schema: {
          tags: ['results'],
          ...words,
          params: TaskParams,
          response: answers({ 200: png }, 'NOT_FOUND', 'TASK_NOT_FOUND', 'RESULT_EXPIRED'),
        },
      },
      async (request, reply) => {
        const task = presentTask(deps.tasks, request.params.taskId);
        const map = await views[name](task);
        return reply.type('image/png').send(map);
      },
    );
  };
  addMap('changes', {
    summary: 'Where an enlarging changed its photo',
    description:
      'A grey PNG in the proportions of the source, at most 1,024 pixels a side: a pixel is the largest difference there, in levels of 255, between the source and the result reduced to its size.',
  });
  addMap('mask', {
    summary: 'What a cut-out keeps of its photo',
    description:
      'A grey PNG in the proportions of the source, all of it, at most 1,024 pixels a side: white is the subject.',
  });
}
