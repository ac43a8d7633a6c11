/** These routes answer the images part of OpenAI's API, and the enlarging route of servers like it. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Api } from '../../http/server.ts';
import { Base64File, sendJsonWithFiles } from '../answer-files.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Family, FieldRefused, type CompatRefusal } from '../refusal.ts';
import { withForm, type Form, type FormDeps } from '../form.ts';
import type { FinishedTask, TaskSource } from '../../store/tasks/task.ts';
import { orDiscard, type PictureCalls } from '../picture-calls.ts';
import { sourceOfBase64, type Base64Deps } from '../remote-source.ts';
import { oneOfField } from '../read-fields.ts';
import { fitting, readOpenaiFields, type AnswerAs, type OpenaiWishes } from './openai-fields.ts';
import { openaiModelIds, openaiWork, type OpenaiWork } from './openai-models.ts';
import type { ModelChoiceDeps } from '../upscaler-names.ts';
import type { SourceIntake } from '../../sources/stored-source.ts';

export interface OpenaiDeps extends FormDeps, Base64Deps, ModelChoiceDeps {
  intake: Pick<SourceIntake, 'accept' | 'discard'>;
}

/** In OpenAI's API an error is an object with a type, a parameter and a code. */
export const openaiFamily: Family = {
  owns: (path) => path.startsWith('/v1/') || path.startsWith('/api/v1/'),
  refuse(reply, refusal) {
    const { status, message, field = null } = refusal;
    const type = status >= 500 ? 'server_error' : 'invalid_request_error';
    return reply
      .code(status)
      .type('application/json; charset=utf-8')
      .send({ error: { message, type, param: field, code: codeOf(refusal) } });
  },
};

function codeOf({ code, field }: CompatRefusal): string {
  if (code === 'UNAUTHORIZED') return 'invalid_api_key';
  if (code === 'NOT_FOUND') return field === 'model' ? 'model_not_found' : 'not_found';
  return code === 'INVALID_REQUEST' && field !== undefined ? 'invalid_value' : code.toLowerCase();
}

/** The first base address is OpenAI's, the second one is Lemonade's. */
const bases = ['/v1', '/api/v1'];

export function openaiRoutes(app: Api, deps: OpenaiDeps, calls: PictureCalls): void {
  for (const base of bases) {
    modelRoutes(app, deps, base);
    app.post(`${base}/images/edits`, (request, reply) =>
      edit(request, reply, { usualAnswer: 'b64_json', isPrompted: true }),
    );
    app.post(`${base}/images/variations`, (request, reply) =>
      edit(request, reply, { usualAnswer: 'url', isPrompted: false }),
    );
    app.post(`${base}/images/upscale`, upscale);
  }

  async function edit(
    request: FastifyRequest,
    reply: FastifyReply,
    { usualAnswer, isPrompted }: { usualAnswer: AnswerAs; isPrompted: boolean },
  ) {
    const signal = clientGone(reply);
    return withForm(request, deps, async (form) => {
      const read = (field: string) => form.text(field);
      const wishes = readOpenaiFields(read, form.names(), usualAnswer);
      if (isPrompted && read('prompt') === undefined) throw missing('prompt');
      const work = openaiWork(read('model'), wishes.background === 'transparent', deps);
      const task = await make(work, wishes, oneImage(form), signal);
      return answer(reply, task, wishes);
    });
  }

  /** Enlarges the picture of a form, as LocalAI takes it, or of a JSON body, as Lemonade does. */
  async function upscale(request: FastifyRequest, reply: FastifyReply) {
    const signal = clientGone(reply);
    const isForm = request.isMultipart();
    return withForm(request, deps, async (form) => {
      const read = (field: string) => form.text(field);
      const wishes = readOpenaiFields(read, form.names(), isForm ? 'url' : 'b64_json');
      const id = read('model');
      if (id === undefined && !isForm) throw missing('model');
      const work = openaiWork(id, false, deps);
      const scale = read('scale') && Number(oneOfField(read, 'scale', ['2', '4', '8', '16'], '2'));
      const fields = { ...work.fields, ...(typeof scale === 'number' && { scale }) };
      const source = isForm ? oneImage(form) : await imageInJson(form);
      const task = await make({ ...work, fields }, wishes, source, signal);
      return answer(reply, task, wishes, isForm ? { id: randomUUID() } : {});
    });
  }

  function imageInJson(form: Form): Promise<TaskSource> {
    const image = form.text('image');
    if (image === undefined) throw missing('image');
    return sourceOfBase64(image, 'image', deps);
  }

  async function make(
    { operation, fields: { model, scale } }: OpenaiWork,
    { fields, box, background }: OpenaiWishes,
    source: TaskSource,
    signal: AbortSignal,
  ): Promise<FinishedTask> {
    const size = await sizeFor(source, box);
    const own =
      operation === 'remove-bg'
        ? { ...size, ...(background === 'opaque' && { background: 'white' }) }
        : (size ?? { scale });
    const asked = { ...fields, ...(model !== undefined && { model }), ...own };
    const task = await calls.make({ operation, fields: asked, source }, signal);
    if (background === 'opaque' && hasAlpha(task)) throw keepsTransparency();
    return task;
  }

  async function sizeFor(source: TaskSource, box: OpenaiWishes['box']) {
    if (box === undefined) return undefined;
    return orDiscard(source, deps, async () => fitting(await calls.sizeOf(source), box));
  }

  async function answer(
    reply: FastifyReply,
    task: FinishedTask,
    { answerAs, outputFormat }: OpenaiWishes,
    more: object = {},
  ) {
    const { width, height } = task.report.output;
    const file = new Base64File(calls.pathOf(task));
    void reply.header('x-enlarger-model', task.report.model ?? '');
    const body = {
      ...more,
      created: Math.floor((task.endedAt ?? task.createdAt) / 1000),
      data: [answerAs === 'url' ? { url: calls.linkOf(task) } : { b64_json: file }],
      background: hasAlpha(task) ? 'transparent' : 'opaque',
      output_format: outputFormat,
      quality: 'high',
      size: `${width}x${height}`,
      usage: noUsage,
    };
    return sendJsonWithFiles(reply, body, answerAs === 'url' ? [] : [file]);
  }
}

const hasAlpha = ({ report }: FinishedTask) => report.output.channels % 2 === 0;

/** An opaque background may be refused: a cut-out is put on white, but an enlargement has no background. */
const keepsTransparency = () =>
  new FieldRefused(
    'background',
    'Expected background auto for this picture, whose transparent parts stay so, or output_format jpeg, which has none.',
  );

/** Enlarger counts no tokens, so all of them are 0. */
const noUsage = {
  total_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
};

const missing = (field: string) =>
  new FieldRefused(field, `Missing required parameter: '${field}'.`);

function oneImage(form: Form): TaskSource {
  const count = form.count('image', 'image[]');
  if (count > 1)
    throw new FieldRefused(
      'image',
      `Expected one image but received ${count}: send them one by one.`,
    );
  const source = form.takeFile('image', 'image[]');
  if (source === undefined) throw missing('image');
  return source;
}

function modelRoutes(app: Api, deps: OpenaiDeps, base: string): void {
  const shown = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'enlarger' });
  app.get(`${base}/models`, () => ({ object: 'list', data: openaiModelIds(deps).map(shown) }));
  app.get(
    `${base}/models/:id`,
    { schema: { params: Type.Object({ id: Type.String() }) } },
    ({ params: { id } }) => {
      if (openaiModelIds(deps).includes(id)) return shown(id);
      throw new FieldRefused('model', `The model \`${id}\` does not exist.`, 'NOT_FOUND');
    },
  );
}
