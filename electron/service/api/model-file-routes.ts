/** POST /api/models: a model from a form with its files, or from one file as raw bytes. */
import multipart, { type Multipart } from '@fastify/multipart';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../../packages/contract/src/log.ts';
import {
  AddModelQuery,
  ModelView,
  type ModelDescriptor,
} from '../../../packages/contract/src/models/model.ts';
import type { OnImportProgress } from '../../../packages/contract/src/models/import-progress.ts';
import {
  clientGone,
  rawBody,
  readWhole,
  takeRawBodies,
  errorBodyOf,
  type Api,
  answers,
  ref,
  eventText,
  type EventStream,
  type OpenStreams,
} from '../../../packages/http/src/index.ts';
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
  log: Log;
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

export async function modelFileRoutes(
  app: Api,
  deps: ModelFileDeps,
  streams: OpenStreams,
): Promise<void> {
  const view = (model: ModelDescriptor): ModelView =>
    deps.models.view(model, deps.engine.speeds(), deps.settings.get());
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
          'An encoder and its decoder, for prompts, are sent together. How it is used is found by reading and by running it, in a process apart. Closing the connection cancels. The same network again answers the model that is there. A request that accepts text/event-stream gets events once the files have arrived: progress (ImportProgress), and at the end message (ModelView) or error (Error).',
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
      const sent = sentModelOf(request);
      const signal = clientGone(reply);
      if (!(request.headers.accept ?? '').includes('text/event-stream'))
        return view(await deps.importer.importSent(sent, signal));
      const importSent = async (onProgress: OnImportProgress) =>
        view(await deps.importer.importSent(sent, signal, onProgress));
      return streamed(importSent, reply, streams, deps.log);
    },
  );
}

/** Streams an import. An error before its first progress is an ordinary response. */
async function streamed(
  importSent: (onProgress: OnImportProgress) => Promise<ModelView>,
  reply: FastifyReply,
  streams: OpenStreams,
  log: Log,
): Promise<FastifyReply> {
  let stream: EventStream | undefined;
  const send = (data: object, name: 'progress' | 'message' | 'error') => {
    stream ??= streams.open(reply, () => undefined);
    const text = eventText(data, undefined, name);
    stream.send({ text, about: 'import', isProgress: name === 'progress' });
  };
  try {
    send(await importSent((progress) => send(progress, 'progress')), 'message');
  } catch (error) {
    if (stream === undefined) throw error;
    const body = errorBodyOf(error);
    if (body.code === 'INTERNAL') log('error', 'An import failed.', { error: String(error) });
    send(body, 'error');
  }
  stream?.end();
  return reply;
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
