/** Submits as multipart/form-data: the picture's file, and the fields of the JSON body as texts. */
import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { Value } from 'typebox/value';
import { asError } from '../../../packages/contract/src/error-messages.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { isDiskFull } from '../../../packages/files/src/file-errors.ts';
import {
  bodyAccountOf,
  withStagedImages,
  ref,
  type Api,
} from '../../../packages/http/src/index.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { StagedImages } from '../sources/staged-images.ts';

export interface SubmitFormDeps {
  settings: Pick<LiveSettings, 'get'>;
  stagedImages: Pick<StagedImages, 'receive' | 'drop'>;
}

/**
 * The parser holds a field until its end, before it counts: a thousand open forms then hold 64 MB. Longer
 * strokes need a JSON body.
 */
const maxFieldBytes = 64 * 1024;
const maxFields = 100;

/** Lets the routes of this scope read forms. */
export async function readSubmitForms(scope: Api): Promise<void> {
  await scope.register(multipart, { throwFileSizeLimit: false });
}

/** Hook before validation: a form becomes the JSON body that it stands for. */
export const formAsBody =
  (schema: TObject, deps: SubmitFormDeps) =>
  async (request: FastifyRequest): Promise<void> => {
    if (!request.isMultipart()) return;
    request.body = await withStagedImages(request, deps.stagedImages, (placeholders) =>
      readForm(request, schema, deps, placeholders).catch((thrown: unknown) => {
        throw asFormError(thrown);
      }),
    );
  };

/** Both content types, for the documentation. */
export function submitBodies(schema: TObject) {
  const file = { type: 'string', format: 'binary', description: 'The picture.' };
  const fields = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, textOf(property)]),
  );
  return {
    content: {
      'application/json': { schema: ref(schema) },
      'multipart/form-data': {
        schema: {
          type: 'object',
          description: 'The same fields as texts, with a file in place of imageUrl.',
          properties: { file, ...fields },
        },
      },
    },
  };
}

const textOf = ({ description }: { description?: string }) => ({
  type: 'string',
  ...(description !== undefined && { description }),
});

async function readForm(
  request: FastifyRequest,
  schema: TObject,
  { settings, stagedImages }: SubmitFormDeps,
  placeholders: string[],
): Promise<object> {
  const { maxSourceBytes: maxBytes } = settings.get();
  const account = bodyAccountOf(request);
  const fields = new Map<string, unknown>();
  const set = (name: string, value: unknown) => {
    if (fields.has(name))
      throw new EnlargerError(
        'INVALID_REQUEST',
        name === 'imageUrl'
          ? 'Expected one picture, a file or imageUrl, but received more.'
          : `Expected the form to have ${name} once but received it more often.`,
      );
    fields.set(name, value);
  };
  const limits = {
    // One byte more than allowed, to distinguish a file at the limit from a larger one.
    ...{ fileSize: maxBytes + 1, fieldSize: maxFieldBytes, headerSize: 8 * 1024 },
    ...{ files: 2, fields: maxFields, parts: maxFields + 2, fieldNameSize: 200 },
  };
  const read = async (part: Multipart) => {
    if (part.type === 'file') {
      const chunks = part.file.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
      const placeholder = await stagedImages.receive(chunks, { name: part.filename, maxBytes });
      placeholders.push(placeholder);
      set('imageUrl', placeholder);
      return;
    }
    const text = String(part.value);
    account.add(Buffer.byteLength(text));
    if (part.valueTruncated)
      throw new EnlargerError(
        'PAYLOAD_TOO_LARGE',
        `Expected the field ${part.fieldname} to have at most ${maxFieldBytes} bytes. Send a picture as the form's file, and longer strokes in a JSON body.`,
      );
    set(part.fieldname, fieldOf(schema, part.fieldname, text));
  };
  let refusal: Error | undefined;
  // A refused form is read to its end, so that the client reads the response.
  for await (const part of request.parts({ limits })) {
    if (refusal === undefined)
      await read(part).catch((thrown: unknown) => (refusal = asError(thrown)));
    if (part.type === 'file') part.file.resume();
  }
  if (refusal !== undefined) throw refusal;
  if (!fields.has('imageUrl')) throw withoutPicture(fields.has('file'));
  return Object.fromEntries(fields);
}

const withoutPicture = (hasText: boolean) =>
  new EnlargerError(
    'INVALID_REQUEST',
    `Expected the field file to be the picture's file but received ${hasText ? 'a text' : 'none'}. Send it as curl does with -F file=@photo.jpg, or its address as imageUrl.`,
  );

/** A text where the field may be one, else its JSON; validated with the whole body. */
function fieldOf(schema: TObject, name: string, text: string): unknown {
  const property = schema.properties[name];
  if (property === undefined || Value.Check(property, text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Errors of the form parser; a full disk stays one. */
function asFormError(cause: unknown): unknown {
  if (cause instanceof EnlargerError || isDiskFull(cause)) return cause;
  const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : 400;
  const [code, sentence] =
    status === 413
      ? ([
          'PAYLOAD_TOO_LARGE',
          `Expected a form with one file and at most ${maxFields} fields.`,
        ] as const)
      : (['INVALID_REQUEST', 'Expected a whole form with one file in it.'] as const);
  return new EnlargerError(code, sentence, { cause });
}
