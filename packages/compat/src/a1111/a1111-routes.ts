/** AUTOMATIC1111: the extras of its API, and the calls that its clients make around them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Api, callerOf, clientGone, statusName } from '../../../http/src/index.ts';
import { Base64File, sendJsonWithFiles } from '../answer-files.ts';
import type { Family } from '../refusal.ts';
import { orDiscard, type MadePicture, type Pictures } from '../pictures.ts';
import { pictureOfBase64 } from '../remote-source.ts';
import { shownName, type ModelChoiceDeps } from '../upscaler-names.ts';
import { checkBatch, checkSingle, sizeOfExtras, workOfExtras, type Extras } from './extras.ts';

export interface A1111Deps extends ModelChoiceDeps {
  pictures: Pictures;
}

/** AUTOMATIC1111's web UI is a FastAPI server whose errors have the fields `error`, `detail` and `errors`. */
export const a1111Family: Family = {
  owns: (path) => path.startsWith('/sdapi/'),
  refuse(reply, { status, message, field }) {
    const errors = field === undefined ? '' : field;
    return reply
      .code(field !== undefined && status === 400 ? 422 : status)
      .type('application/json; charset=utf-8')
      .send({ error: statusName(status), detail: message, body: '', errors });
  },
};

export function a1111Routes(app: Api, deps: A1111Deps): void {
  /** Ids of running tasks, per key. */
  const running = new Map<string, Set<string>>();
  const runningOf = (request: FastifyRequest) => running.get(callerOf(request).keyId) ?? new Set();

  app.post('/sdapi/v1/extra-single-image', async (request, reply) => {
    const { image, ...extras } = checkSingle(request.body);
    const [made] = await makeAll(request, reply, [image], extras);
    if (made === undefined) throw new Error('A picture was made and is not there.');
    const file = new Base64File(made.path);
    return sendJsonWithFiles(reply, { html_info: infoOf([made]), image: file }, [file]);
  });

  app.post('/sdapi/v1/extra-batch-images', async (request, reply) => {
    const { imageList, ...extras } = checkBatch(request.body);
    const texts = imageList.map(({ data }) => data);
    const all = await makeAll(request, reply, texts, extras);
    const files = all.map(({ path }) => new Base64File(path));
    return sendJsonWithFiles(reply, { html_info: infoOf(all), images: files }, files);
  });

  /** All or none: if one fails, the others are cancelled. */
  async function makeAll(
    request: FastifyRequest,
    reply: FastifyReply,
    texts: string[],
    extras: Extras,
  ): Promise<MadePicture[]> {
    const work = workOfExtras(extras, deps);
    const failed = new AbortController();
    const signal = AbortSignal.any([clientGone(reply), failed.signal]);
    const { keyId } = callerOf(request);
    const own = running.get(keyId) ?? new Set();
    running.set(keyId, own);
    const make = async (text: string): Promise<MadePicture> => {
      const picture = await pictureOfBase64(text, 'image', deps.pictures);
      const size = await orDiscard(picture, () => sizeOfExtras(extras, () => picture.size()));
      const fields = { ...size, model: work.model, format: 'png', bitDepth: 8 };
      let id = '';
      const onTask = (taskId: string) => own.add((id = taskId));
      return picture
        .make({ operation: 'upscale', fields }, signal, onTask)
        .finally(() => own.delete(id));
    };
    try {
      return await Promise.all(texts.map(make));
    } catch (thrown) {
      failed.abort();
      throw thrown;
    }
  }

  app.get('/sdapi/v1/progress', (request) => {
    const tasks = [...runningOf(request)].flatMap(
      (taskId) => deps.pictures.progressOf(taskId) ?? [],
    );
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
    for (const taskId of runningOf(request)) deps.pictures.cancel(taskId);
    return {};
  });

  app.get('/sdapi/v1/upscalers', () => upscalersOf(deps));
  app.get('/sdapi/v1/options', () => ({ samples_format: 'png', sd_model_checkpoint: '' }));
  app.get('/sdapi/v1/sd-models', () => []);
  app.get('/sdapi/v1/face-restorers', () => []);
}

const infoOf = (all: readonly MadePicture[]) =>
  all
    .map(({ output: { width, height }, model = '' }) => {
      return `<p>${width} x ${height}, made with ${model} by Enlarger</p>`;
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
 * In the web UI's form. Clients take the first entry for "no upscaler"; many have the second entry's name in
 * their own lists.
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
