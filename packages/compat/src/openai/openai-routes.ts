/** OpenAI's images API, and the upscale route of servers like it. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { scales } from '../../../contract/src/common.ts';
import { type Api, clientGone } from '../../../http/src/index.ts';
import { Base64File, sendJsonWithFiles } from '../answer-files.ts';
import { type Family, FieldRefused, type CompatRefusal } from '../refusal.ts';
import { withForm, type Form, type FormDeps } from '../form.ts';
import { orDiscard, type MadePicture, type ReceivedPicture } from '../pictures.ts';
import { pictureOfBase64 } from '../remote-source.ts';
import { oneOfField } from '../read-fields.ts';
import { fitting, readOpenaiFields, type AnswerAs, type OpenaiOptions } from './openai-fields.ts';
import { openaiModelIds, openaiWork, type OpenaiWork } from './openai-models.ts';
import type { ModelChoiceDeps } from '../upscaler-names.ts';

export interface OpenaiDeps extends FormDeps, ModelChoiceDeps {}

/** OpenAI's errors: type, parameter, code. */
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

/** OpenAI's base path, and Lemonade's. */
const bases = ['/v1', '/api/v1'];

export function openaiRoutes(app: Api, deps: OpenaiDeps): void {
  for (const base of bases) {
    modelRoutes(app, deps, base);
    app.post(`${base}/images/edits`, (request, reply) =>
      edit(request, reply, { defaultAnswer: 'b64_json', isPrompted: true }),
    );
    app.post(`${base}/images/variations`, (request, reply) =>
      edit(request, reply, { defaultAnswer: 'url', isPrompted: false }),
    );
    app.post(`${base}/images/upscale`, upscale);
  }

  async function edit(
    request: FastifyRequest,
    reply: FastifyReply,
    { defaultAnswer, isPrompted }: { defaultAnswer: AnswerAs; isPrompted: boolean },
  ) {
    const signal = clientGone(reply);
    return withForm(request, deps, async (form) => {
      const read = (field: string) => form.text(field);
      const options = readOpenaiFields(read, form.names(), defaultAnswer);
      if (isPrompted && read('prompt') === undefined) throw missing('prompt');
      const work = openaiWork(read('model'), options.background === 'transparent', deps);
      const made = await make(work, options, oneImage(form), signal);
      return answer(reply, made, options);
    });
  }

  /** Enlarges the picture of a form (LocalAI) or a JSON body (Lemonade). */
  async function upscale(request: FastifyRequest, reply: FastifyReply) {
    const signal = clientGone(reply);
    const isForm = request.isMultipart();
    return withForm(request, deps, async (form) => {
      const read = (field: string) => form.text(field);
      const options = readOpenaiFields(read, form.names(), isForm ? 'url' : 'b64_json');
      const id = read('model');
      if (id === undefined && !isForm) throw missing('model');
      const work = openaiWork(id, false, deps);
      const scale = read('scale') && Number(oneOfField(read, 'scale', scales.map(String), '2'));
      const fields = { ...work.fields, ...(typeof scale === 'number' && { scale }) };
      const picture = isForm ? oneImage(form) : await imageInJson(form);
      const made = await make({ ...work, fields }, options, picture, signal);
      return answer(reply, made, options, isForm ? { id: randomUUID() } : {});
    });
  }

  function imageInJson(form: Form): Promise<ReceivedPicture> {
    const image = form.text('image');
    if (image === undefined) throw missing('image');
    return pictureOfBase64(image, 'image', deps.pictures);
  }

  async function make(
    { operation, fields: { model, scale } }: OpenaiWork,
    { fields, box, background }: OpenaiOptions,
    picture: ReceivedPicture,
    signal: AbortSignal,
  ): Promise<MadePicture> {
    const size = await sizeFor(picture, box);
    const own =
      operation === 'remove-bg'
        ? { ...size, ...(background === 'opaque' && { background: 'white' }) }
        : (size ?? { scale });
    const submitFields = { ...fields, ...(model !== undefined && { model }), ...own };
    const made = await picture.make({ operation, fields: submitFields }, signal);
    if (background === 'opaque' && hasAlpha(made)) throw keepsTransparency();
    return made;
  }

  async function sizeFor(picture: ReceivedPicture, box: OpenaiOptions['box']) {
    if (box === undefined) return undefined;
    return orDiscard(picture, async () => fitting(await picture.size(), box));
  }

  async function answer(
    reply: FastifyReply,
    made: MadePicture,
    { answerAs, outputFormat }: OpenaiOptions,
    more: object = {},
  ) {
    const { width, height } = made.output;
    const file = new Base64File(made.path);
    void reply.header('x-enlarger-model', made.model ?? '');
    const body = {
      ...more,
      created: Math.floor(made.endedAt / 1000),
      data: [answerAs === 'url' ? { url: made.link() } : { b64_json: file }],
      background: hasAlpha(made) ? 'transparent' : 'opaque',
      output_format: outputFormat,
      quality: 'high',
      size: `${width}x${height}`,
      usage: noUsage,
    };
    return sendJsonWithFiles(reply, body, answerAs === 'url' ? [] : [file]);
  }
}

const hasAlpha = ({ output }: MadePicture) => output.channels % 2 === 0;

/** A cut-out can be put on white; an enlargement has no background. */
const keepsTransparency = () =>
  new FieldRefused(
    'background',
    'Expected background auto for this picture, whose transparent parts stay so, or output_format jpeg, which has none.',
  );

/** Enlarger counts no tokens. */
const noUsage = {
  total_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
};

const missing = (field: string) =>
  new FieldRefused(field, `Missing required parameter: '${field}'.`);

function oneImage(form: Form): ReceivedPicture {
  const count = form.count('image', 'image[]');
  if (count > 1)
    throw new FieldRefused(
      'image',
      `Expected one image but received ${count}: send them one by one.`,
    );
  const picture = form.takeFile('image', 'image[]');
  if (picture === undefined) throw missing('image');
  return picture;
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
