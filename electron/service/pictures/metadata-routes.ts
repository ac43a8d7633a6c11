/** GET /api/task/{id}/metadata: what source and result say of themselves, side by side. */
import { metadataGroups, TaskMetadata } from '../../contract/picture.ts';
import type { DescribedPictures } from '../../engine/protocol.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';
import { TaskParams } from '../tasks/task-routes.ts';
import { presentTask } from '../tasks/present-task.ts';

export function metadataRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/api/task/:taskId/metadata',
    {
      schema: {
        tags: ['results'],
        summary: "The metadata of a task's source and result",
        description:
          'Names are those of EXIF, IPTC and XMP. Before the task ran, its source alone.',
        params: TaskParams,
        response: answers(
          { 200: ref(TaskMetadata) },
          'INVALID_REQUEST',
          'TASK_NOT_FOUND',
          'RESULT_EXPIRED',
        ),
      },
    },
    async (request) => {
      const task = presentTask(deps.tasks, request.params.taskId);
      return { fields: sideBySide(await deps.views.metadata(task)) };
    },
  );
}

type Fields = TaskMetadata['fields'];

/** In the order of the groups, and in them as the source has them; then what only the result has. */
function sideBySide({ source, result }: DescribedPictures): Fields {
  const found = new Map<string, Fields[number]>();
  for (const [side, fields] of Object.entries({ source, result })) {
    for (const { group, name, value } of fields) {
      const key = `${group}\n${name}`;
      found.set(key, { ...(found.get(key) ?? { group, name }), [side]: value });
    }
  }
  const place = (field: Fields[number]) => metadataGroups.indexOf(field.group);
  return [...found.values()].toSorted((a, b) => place(a) - place(b));
}
