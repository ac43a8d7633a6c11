/** These routes answer the extras of AUTOMATIC1111's API and the calls that its clients make around them. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../../http/server.ts';
import { callerOf } from '../../http/access/authenticate.ts';
import { Base64File, sendJsonWithFiles } from '../answer-files.ts';
import { clientGone } from '../../http/client-gone.ts';
import type { Family } from '../refusal.ts';
import { cancelTask, orDiscard, type PictureCalls } from '../picture-calls.ts';
import type { FinishedTask } from '../../store/tasks/task.ts';
import { sourceOfBase64, type Base64Deps } from '../remote-source.ts';
import { shownName, type ModelChoiceDeps } from '../upscaler-names.ts';
import { checkBatch, checkSingle, sizeOfExtras, workOfExtras, type Extras } from './extras.ts';
import type { SourceIntake } from '../../sources/stored-source.ts';
import type { Tasks } from '../../tasks/tasks.ts';

export interface A1111Deps extends ModelChoiceDeps, Base64Deps {
  tasks: Pick<Tasks, 'get' | 'progressOf' | 'cancel'>;
  intake: Pick<SourceIntake, 'discard'>;
}

/** AUTOMATIC1111's web UI is a FastAPI server whose errors have the fields `error`, `detail` and `errors`. */
export const a1111Family: Family = {
  owns: (path) => path.startsWith('/sdapi/'),
  refuse(reply, { status, message, field }) {
    const errors = field === undefined ? '' : field;
    return reply
      .code(field !== undefined && status === 400 ? 422 : status)
      .type('application/json; charset=utf-8')
      .send({ error: STATUS_CODES[status] ?? 'Error', detail: message, body: '', errors });
  },
};

export function a1111Routes(app: Api, deps: A1111Deps, calls: PictureCalls): void {
  /** The map holds the ids of the tasks that run for each key now. */
  const running = new Map<string, Set<string>>();
  const runningOf = (request: FastifyRequest) => running.get(callerOf(request).keyId) ?? new Set();

  app.post('/sdapi/v1/extra-single-image', async (request, reply) => {
    const { image, ...extras } = checkSingle(request.body);
    const [task] = await makeAll(request, reply, [image], extras);
    if (task === undefined) throw new Error('A picture was made and is not there.');
    const file = new Base64File(calls.pathOf(task));
    return sendJsonWithFiles(reply, { html_info: infoOf([task]), image: file }, [file]);
  });

  app.post('/sdapi/v1/extra-batch-images', async (request, reply) => {
    const { imageList, ...extras } = checkBatch(request.body);
    const pictures = imageList.map(({ data }) => data);
    const tasks = await makeAll(request, reply, pictures, extras);
    const files = tasks.map((task) => new Base64File(calls.pathOf(task)));
    return sendJsonWithFiles(reply, { html_info: infoOf(tasks), images: files }, files);
  });

  /** Makes all pictures or none: when one of them fails, the tasks of the others are cancelled. */
  async function makeAll(
    request: FastifyRequest,
    reply: FastifyReply,
    pictures: string[],
    extras: Extras,
  ): Promise<FinishedTask[]> {
    const work = workOfExtras(extras, deps);
    const failed = new AbortController();
    const signal = AbortSignal.any([clientGone(reply), failed.signal]);
    const { keyId } = callerOf(request);
    const own = running.get(keyId) ?? new Set();
    running.set(keyId, own);
    const make = async (picture: string): Promise<FinishedTask> => {
      const source = await sourceOfBase64(picture, 'image', deps);
      const size = await orDiscard(source, deps, () =>
        sizeOfExtras(extras, () => calls.sizeOf(source)),
      );
      const fields = { ...size, model: work.model, format: 'png', bitDepth: 8 };
      let id = '';
      const onTask = (taskId: string) => own.add((id = taskId));
      return calls
        .make({ operation: 'upscale', fields, source }, signal, onTask)
        .finally(() => own.delete(id));
    };
    try {
      return await Promise.all(pictures.map(make));
    } catch (thrown) {
      failed.abort();
      throw thrown;
    }
  }

  app.get('/sdapi/v1/progress', (request) => {
    const tasks = [...runningOf(request)].flatMap((taskId) => {
      const task = deps.tasks.get(taskId);
      return task ? [deps.tasks.progressOf(task)] : [];
    });
    const done = tasks.reduce((sum, { progress }) => sum + progress / 100, 0);
    const eta = Math.max(0, ...tasks.map(({ etaSeconds = 0 }) => etaSeconds));
    return {
      progress: tasks.length === 0 ? 0 : done / tasks.length,
      eta_relative: eta,
      state: stateOf(tasks.length),
      current_image: null,
      textinfo: null,
    };
  });

  app.post('/sdapi/v1/interrupt', (request) => {
    for (const taskId of runningOf(request)) cancelTask(deps.tasks, taskId);
    return {};
  });

  app.get('/sdapi/v1/upscalers', () => upscalersOf(deps));
  app.get('/sdapi/v1/options', () => ({ samples_format: 'png', sd_model_checkpoint: '' }));
  app.get('/sdapi/v1/sd-models', () => []);
  app.get('/sdapi/v1/face-restorers', () => []);
}

const infoOf = (tasks: readonly FinishedTask[]) =>
  tasks
    .map(({ report }) => {
      const { width, height } = report.output;
      return `<p>${width} x ${height}, made with ${report.model ?? ''} by Enlarger</p>`;
    })
    .join('');

const stateOf = (count: number) => ({
  skipped: false,
  interrupted: false,
  stopping_generation: false,
  job: count > 0 ? 'extras' : '',
  job_count: count,
  job_timestamp: '0',
  job_no: 0,
  sampling_step: 0,
  sampling_steps: 0,
});

/**
 * Lists the upscalers as the web UI does. Clients take the first entry for "no upscaler"; many carry the name
 * of the second entry in their own lists.
 */
function upscalersOf({ models }: A1111Deps) {
  const shown = (name: string, model: string | null, scale: number) => ({
    name,
    model_name: model,
    model_path: null,
    model_url: null,
    scale,
  });
  const own = models.models
    .filter(({ task }) => task === 'upscale')
    .map((model) => shown(shownName(model), model.id, Math.max(...models.scalesOf(model.id))));
  return [shown('None', null, 1), shown('R-ESRGAN 4x+', null, 4), ...own];
}
