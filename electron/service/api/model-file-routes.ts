/** POST /api/models: a model from a form with its files, or from one file as raw bytes. */
import multipart, { type Multipart } from '@fastify/multipart';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AddModelQuery, ModelView } from '../../contract/models/model.ts';
import { clientGone } from '../http/client-gone.ts';
import { rawBody, readWhole, takeRawBodies } from '../http/bodies/content-types.ts';
import type { Api } from '../http/server.ts';
import { answers, ref } from '../http/schemas.ts';
import type { ModelFacts } from '../models/added-models.ts';
import type { SentFile, SentModel, ModelImporter } from '../models/import-model.ts';
import type { EngineHost } from '../../engine/host/host.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';

export interface ModelFileDeps {
  importer: Pick<ModelImporter, 'importSent'>;
  models: Pick<ModelCatalogue, 'view'>;
  engine: Pick<EngineHost, 'speeds'>;
  settings: Pick<LiveSettings, 'get'>;
}

const binary = { type: 'string', format: 'binary' };
const text = { type: 'string' };
const form = {
  type: 'object',
  properties: { file: { type: 'array', items: binary }, name: text, licence: text, author: text },
  required: ['file'],
};
const shownBody = {
  content: {
    'multipart/form-data': { schema: form },
    'application/octet-stream': { schema: binary },
  },
};

export async function modelFileRoutes(app: Api, deps: ModelFileDeps): Promise<void> {
  takeRawBodies(app);
  await app.register(multipart, { throwFileSizeLimit: false });
  app.post(
    '/api/models',
    {
      config: { shownBody },
      schema: {
        tags: ['models'],
        summary: 'Import a model from its files: ONNX, ncnn, PyTorch or safetensors',
        description:
          'How it is used is found by reading and by running it, in a process apart. Closing the connection cancels. The same network again answers the model that is there.',
        querystring: AddModelQuery,
        response: answers(
          { 200: ref(ModelView) },
          'INVALID_REQUEST',
          'PAYLOAD_TOO_LARGE',
          'MODEL_REFUSED',
          'STORAGE_FULL',
        ),
      },
    },
    async (request, reply) => {
      const model = await deps.importer.importSent(sentModelOf(request), clientGone(reply));
      return deps.models.view(model, deps.engine.speeds(), deps.settings.get());
    },
  );
}

type AddModelRequest = FastifyRequest<{ Querystring: AddModelQuery }>;

function sentModelOf(request: AddModelRequest): SentModel {
  const { name, licence, author } = request.query;
  if (!request.isMultipart())
    return {
      files: one({ name: name ?? 'network', chunks: rawBody(request, "a model's bytes") }),
      about: () => ({ licence, author }),
    };
  const fields: Record<string, string> = {};
  return {
    files: filesIn(request.parts({ limits: formLimits }), fields),
    about: (): ModelFacts => ({
      name: fields['name'] ?? name,
      licence: fields['licence'] ?? licence,
      author: fields['author'] ?? author,
    }),
  };
}

const one = (file: SentFile) => Readable.from([file]) as AsyncIterable<SentFile>;

const maxTextLength = 200;

/** Longer texts are not read into memory. */
const formLimits = {
  fileSize: Infinity,
  files: 20,
  fields: 20,
  fieldSize: 4 * maxTextLength,
  headerSize: 8 * 1024,
};

async function* filesIn(
  parts: AsyncIterable<Multipart>,
  fields: Record<string, string>,
): AsyncGenerator<SentFile> {
  for await (const part of readWhole(parts)) {
    if (part.type === 'file') yield { name: part.filename, chunks: readWhole(part.file) };
    else if (typeof part.value === 'string' && part.value !== '')
      fields[part.fieldname] = part.value.slice(0, maxTextLength);
  }
}
