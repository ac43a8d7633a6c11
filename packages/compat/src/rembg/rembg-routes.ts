/** rembg: GET and POST /api/remove. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Api, clientGone } from '../../../http/src/index.ts';
import { sendPicture } from '../answer-files.ts';
import { type Family, FieldMissing } from '../refusal.ts';
import { sendCompatPage } from '../documentation-page.ts';
import { withForm, type FormDeps } from '../form.ts';
import type { ReceivedPicture } from '../pictures.ts';
import type { Read } from '../read-fields.ts';
import { pictureOfUrl } from '../remote-source.ts';
import { idsFor } from '../../../contract/src/models/model.ts';
import type { ModelChoiceDeps } from '../upscaler-names.ts';
import { readRembgFields } from './rembg-fields.ts';

export interface RembgDeps extends FormDeps, ModelChoiceDeps {}

/** rembg's errors, as of FastAPI: `detail` is a sentence, or a list of the wrong fields. */
export const rembgFamily: Family = {
  owns: (path) => path === '/api/remove' || path === '/api',
  refuse(reply, { status, message, field, isMissing }) {
    const type = isMissing ? 'missing' : 'value_error';
    const detail =
      field === undefined ? message : [{ type, loc: [locationOf(field), field], msg: message }];

    /** bgc and extras are in the query, also of a POST. */
    function locationOf(name: string): 'query' | 'body' {
      return reply.request.method === 'GET' || name === 'bgc' || name === 'extras'
        ? 'query'
        : 'body';
    }
    return reply
      .code(field === undefined ? status : 422)
      .type('application/json; charset=utf-8')
      .send({ detail });
  },
};

const address = '/api/remove';
/** rembg's server has its documentation here, and programs use it to test whether it runs. */
const documentation = '/api';

export function rembgRoutes(app: Api, deps: RembgDeps): void {
  app.get(documentation, (_, reply) => sendCompatPage(reply));

  app.get(address, async (request, reply) => {
    const read = readQuery(request);
    return remove(reply, read, () => {
      const url = read('url');
      if (url === undefined) throw new FieldMissing('url', 'Field required');
      return pictureOfUrl(url, 'url', deps.pictures);
    });
  });

  app.post(address, async (request, reply) =>
    withForm(request, deps, (form) => {
      const query = readQuery(request);
      // rembg's server reads bgc and extras from the query, also of a POST.
      const isQuerys = (field: string) => field === 'bgc' || field === 'extras';
      const read = (field: string) => (isQuerys(field) ? query(field) : form.text(field));
      return remove(reply, read, () => {
        const picture = form.takeFile('file');
        if (picture === undefined) throw new FieldMissing('file', 'Field required');
        return Promise.resolve(picture);
      });
    }),
  );

  async function remove(reply: FastifyReply, read: Read, receive: () => Promise<ReceivedPicture>) {
    const signal = clientGone(reply);
    const removers = idsFor('remove-bg', deps.models.models);
    const { fields, notes } = readRembgFields(read, removers);
    const picture = await receive();
    const made = await picture.make({ operation: 'remove-bg', fields }, signal);
    void reply.header('x-enlarger-model', made.model ?? '');
    if (notes.length > 0) void reply.header('x-enlarger-notes', notes.join('; '));
    return sendPicture(reply, made.path, made.type);
  }
}

/** The last of several values counts. */
function readQuery({ query }: FastifyRequest): Read {
  const values = Object(query) as Record<string, unknown>;
  return (field) => {
    const value: unknown = Object.hasOwn(values, field) ? values[field] : undefined;
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === 'string' && last.trim() !== '' ? last.trim() : undefined;
  };
}
