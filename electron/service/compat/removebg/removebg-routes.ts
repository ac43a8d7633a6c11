/** POST /v1.0/removebg and GET /v1.0/account, as remove.bg answers them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api, ApiDeps } from '../../http/deps.ts';
import type { StoredSource } from '../../store/stored-task.ts';
import { Base64File, sendJsonWithFiles, sendPicture } from '../answer-files.ts';
import { clientGone } from '../client-gone.ts';
import { withForm, type Form } from '../form.ts';
import type { Finished, PictureCalls } from '../picture-calls.ts';
import { FieldRefused } from '../refusal.ts';
import { sourceOfBase64, sourceOfUrl } from '../remote-source.ts';
import { assertPossible, readRemovebgFields, type RemovebgOrder } from './removebg-fields.ts';

const address = '/v1.0/removebg';

export function removebgRoutes(app: Api, deps: ApiDeps, calls: PictureCalls): void {
  app.post(address, async (request, reply) => {
    const signal = clientGone(reply);
    return withForm(request, deps, async (form) => {
      const read = (field: string) => form.text(field);
      assertPossible(read, form.count('bg_image_file'));
      const order = readRemovebgFields(read);
      const source = await sourceOf(form, deps);
      const task = await calls.make(
        { operation: 'remove-bg', fields: order.fields, source },
        signal,
      );
      void reply.headers(headersOf(task, order));
      return answer(request, reply, calls.pathOf(task), task.files.image.type);
    });
  });

  app.get('/v1.0/account', () => account);
}

/** Nothing is charged here: as much as a program may want to see. */
const credits = 1_000_000;
const account = {
  data: {
    attributes: {
      credits: { total: credits, subscription: 0, payg: credits, enterprise: 0 },
      api: { free_calls: credits, sizes: 'all' },
    },
  },
};

const sources = ['image_file', 'image_url', 'image_file_b64'] as const;

/** Exactly one of the three. */
async function sourceOf(form: Form, deps: ApiDeps): Promise<StoredSource> {
  const given = sources.filter((name) => form.names().includes(name));
  const [name] = given;
  if (given.length !== 1 || name === undefined)
    throw new FieldRefused(
      'image_file',
      given.length === 0
        ? 'No image given: expected one of image_file, image_url and image_file_b64.'
        : `Multiple image sources given: expected one of ${sources.join(', ')} but received ${given.join(' and ')}.`,
    );
  const file = form.takeFile('image_file');
  if (file) return file;
  const text = form.text(name) ?? '';
  return name === 'image_url' ? sourceOfUrl(text, name, deps) : sourceOfBase64(text, name, deps);
}

function headersOf({ report }: Finished, { type }: RemovebgOrder): Record<string, string> {
  const { input, output } = report;
  return {
    'x-width': String(output.width),
    'x-height': String(output.height),
    'x-max-width': String(input.width),
    'x-max-height': String(input.height),
    ...(type !== undefined && { 'x-type': type }),
    'x-credits-charged': '0',
    'x-foreground-top': String(report.crop?.y ?? 0),
    'x-foreground-left': String(report.crop?.x ?? 0),
    'x-ratelimit-limit': '500',
    'x-ratelimit-remaining': '500',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 60),
    'x-enlarger-model': report.model ?? '',
  };
}

/** The file itself, or JSON for those who say that they read that. */
function answer(request: FastifyRequest, reply: FastifyReply, path: string, type: string) {
  if (!/application\/json/i.test(request.headers.accept ?? ''))
    return sendPicture(reply, path, type);
  const file = new Base64File(path);
  return sendJsonWithFiles(reply, { data: { result_b64: file } }, [file]);
}
