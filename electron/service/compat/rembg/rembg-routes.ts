/** These routes answer GET and POST /api/remove as rembg's own server does. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../../http/server.ts';
import type { TaskSource } from '../../store/tasks/task.ts';
import { sendPicture } from '../answer-files.ts';
import { clientGone } from '../../http/client-gone.ts';
import { idsFor, type ModelCatalogue } from '../../models/catalogue.ts';
import { type Family, FieldMissing } from '../refusal.ts';
import { sendCompatPage } from '../documentation-page.ts';
import { withForm, type FormDeps } from '../form.ts';
import type { PictureCalls } from '../picture-calls.ts';
import type { Read } from '../read-fields.ts';
import { sourceOfUrl } from '../remote-source.ts';
import { readRembgFields } from './rembg-fields.ts';
import type { SourceIntake } from '../../sources/stored-source.ts';

export interface RembgDeps extends FormDeps {
  intake: Pick<SourceIntake, 'accept' | 'discard'>;
  models: ModelCatalogue;
}

/** rembg's server answers errors as FastAPI does: `detail` is a sentence, or a list of the wrong fields. */
export const rembgFamily: Family = {
  owns: (path) => path === '/api/remove' || path === '/api',
  refuse(reply, { status, message, field, isMissing }) {
    const type = isMissing ? 'missing' : 'value_error';
    const detail =
      field === undefined ? message : [{ type, loc: [placeOf(field), field], msg: message }];

    /** Tells where a field stands. bgc and extras stand in the query, also in a POST. */
    function placeOf(name: string): 'query' | 'body' {
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
/** rembg's server shows its documentation at this path, and programs look there whether it runs. */
const documentation = '/api';

export function rembgRoutes(app: Api, deps: RembgDeps, calls: PictureCalls): void {
  app.get(documentation, (_, reply) => sendCompatPage(reply));

  app.get(address, async (request, reply) => {
    const read = readQuery(request);
    return remove(reply, read, () => {
      const url = read('url');
      if (url === undefined) throw new FieldMissing('url', 'Field required');
      return sourceOfUrl(url, 'url', deps);
    });
  });

  app.post(address, async (request, reply) =>
    withForm(request, deps, (form) => {
      const query = readQuery(request);
      // rembg's server reads bgc and extras from the query, also in a POST.
      const isQuerys = (field: string) => field === 'bgc' || field === 'extras';
      const read = (field: string) => (isQuerys(field) ? query(field) : form.text(field));
      return remove(reply, read, () => {
        const source = form.takeFile('file');
        if (source === undefined) throw new FieldMissing('file', 'Field required');
        return Promise.resolve(source);
      });
    }),
  );

  async function remove(reply: FastifyReply, read: Read, sourceOf: () => Promise<TaskSource>) {
    const signal = clientGone(reply);
    const removers = idsFor('remove-bg', deps.models.models);
    const { fields, notes } = readRembgFields(read, removers);
    const source = await sourceOf();
    const task = await calls.make({ operation: 'remove-bg', fields, source }, signal);
    void reply.header('x-enlarger-model', task.report.model ?? '');
    if (notes.length > 0) void reply.header('x-enlarger-notes', notes.join('; '));
    return sendPicture(reply, calls.pathOf(task), task.files.image.type);
  }
}

/** Reads the fields of a query; of several values under one name the last one counts. */
function readQuery({ query }: FastifyRequest): Read {
  const values = Object(query) as Record<string, unknown>;
  return (field) => {
    const value: unknown = Object.hasOwn(values, field) ? values[field] : undefined;
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === 'string' && last.trim() !== '' ? last.trim() : undefined;
  };
}
