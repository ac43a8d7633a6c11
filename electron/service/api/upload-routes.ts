/** POST /api/uploads: takes a picture as raw bytes or form, returns the URL to submit it by. */
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { UploadReceipt, UploadQuery } from '../../../packages/contract/src/settings/settings.ts';
import { uploadUrl } from '../sources/image-url.ts';
import {
  asBrokenForm,
  rawBody,
  readWhole,
  takeRawBodies,
  type Api,
  answers,
  ref,
} from '../../../packages/http/src/index.ts';
import { baseOf } from './present.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { Uploads } from '../sources/uploads.ts';

export interface UploadDeps {
  settings: Pick<LiveSettings, 'get'>;
  uploads: Pick<Uploads, 'receive'>;
}

/** Types of raw bodies; the last one is the default of curl's --data-binary. */
const rawTypes = /^(application\/octet-stream|image\/.*|application\/x-www-form-urlencoded)$/i;

const binary = { type: 'string', format: 'binary' };
const form = { type: 'object', properties: { file: binary }, required: ['file'] };
const shownBody = {
  content: {
    'application/octet-stream': { schema: binary },
    'image/*': { schema: binary },
    'multipart/form-data': { schema: form },
  },
};

export async function uploadRoutes(app: Api, deps: UploadDeps): Promise<void> {
  takeRawBodies(app, ({ headers }) => {
    const type = headers['content-type']?.split(';', 1)[0]?.trim();
    return type === undefined || rawTypes.test(type) ? undefined : unsupported(type);
  });
  await app.register(multipart, { throwFileSizeLimit: false });
  app.post(
    '/api/uploads',
    {
      config: { shownBody },
      schema: {
        tags: ['uploads'],
        summary: 'Upload a picture: raw bytes, or a form with one file',
        description: 'Stored until the task that uses it has ended; unused uploads for an hour.',
        querystring: UploadQuery,
        response: answers(
          { 200: ref(UploadReceipt) },
          'INVALID_REQUEST',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'STORAGE_FULL',
        ),
      },
    },
    async (request) => {
      const maxBytes = deps.settings.get().maxSourceBytes;
      assertAnnouncedSize(request, maxBytes);
      const { chunks, name } = await bytesOf(request, maxBytes);
      const row = await deps.uploads.receive(chunks, {
        name: request.query.name ?? name,
        maxBytes,
      });
      return { imageUrl: uploadUrl(baseOf(request), row.uploadId) };
    },
  );
}

/** Limits of the form's other fields, which are ignored. */
const fieldLimits = {
  fields: 20,
  fieldSize: 1024,
  headerSize: 8 * 1024,
  fieldNameSize: 200,
  parts: 25,
  headerPairs: 50,
};

/** Allowance for the form around the file. */
const formOverheadBytes = 64 * 1024;

function assertAnnouncedSize({ headers }: FastifyRequest, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) <= maxBytes + formOverheadBytes) return;
  throw new EnlargerError(
    'PAYLOAD_TOO_LARGE',
    `The upload is larger than ${maxBytes} bytes, the limit in the settings (maxSourceBytes).`,
  );
}

async function bytesOf(
  request: FastifyRequest,
  maxBytes: number,
): Promise<{ chunks: AsyncIterable<Uint8Array>; name: string }> {
  if (!request.isMultipart())
    return { chunks: rawBody(request, 'the bytes of a picture'), name: 'upload' };
  // One byte more than allowed, to distinguish a file at the limit from a larger one.
  const parts = request.parts({ limits: { ...fieldLimits, fileSize: maxBytes + 1, files: 1 } });
  const readPart = () =>
    parts.next().catch((cause: unknown) => {
      throw asBrokenForm(cause);
    });
  let text: string | undefined;
  for (let next = await readPart(); next.done !== true; next = await readPart()) {
    const part = next.value;
    if (part.type === 'file') return { chunks: readWhole(part.file), name: part.filename };
    text ??= part.fieldname;
  }
  throw new EnlargerError(
    'INVALID_REQUEST',
    text === undefined
      ? 'Expected a form with one file but received none.'
      : `Expected a form with one file but received a text in its field ${text}. Send the picture as curl does with -F file=@photo.jpg.`,
  );
}

function unsupported(type: string): EnlargerError {
  return new EnlargerError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Expected the bytes of a picture (image/… or application/octet-stream) or multipart/form-data but received ${type}.`,
  );
}
