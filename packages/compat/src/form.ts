/**
 * Fields of a request: form with files, form without files, or JSON. Files are streamed to disk; unused ones
 * are deleted after the response.
 */
import type { FastifyRequest } from 'fastify';
import type {} from '@fastify/multipart';
import { EnlargerError } from '../../contract/src/errors.ts';
import { isDiskFull } from '../../files/src/file-errors.ts';
import { bodyAccountOf, type PictureSink } from '../../http/src/index.ts';
import type { CompatSettings, Pictures, ReceivedPicture } from './pictures.ts';
import {
  maxFieldBytes,
  maxFields,
  mayHoldPicture,
  readFieldText,
  tooLong,
  type FieldOptions,
} from './form-fields.ts';

export interface FormDeps extends FormReaderDeps {
  pictures: Pictures;
}

interface FormReaderDeps {
  pictures: Pick<Pictures, 'receiveFile'>;
  stagedImages: PictureSink;
  settings: CompatSettings;
}

export interface Form {
  /** Last value, trimmed; undefined if absent or empty. */
  text(field: string): string | undefined;
  names(): string[];
  /** Number of files under these names. */
  count(...fields: string[]): number;
  /** Takes the first file under one of the names, owned by the caller from here on. */
  takeFile(...fields: string[]): ReceivedPicture | undefined;
}

interface FormFile {
  field: string;
  picture: ReceivedPicture;
}

const maxFiles = 32;

/**
 * Calls `use` with the form, then discards unused files. Throws what `use` throws.
 * @throws EnlargerError INVALID_REQUEST, PAYLOAD_TOO_LARGE, STORAGE_FULL
 */
export async function withForm<T>(
  request: FastifyRequest,
  deps: FormReaderDeps,
  use: (form: Form) => Promise<T>,
): Promise<T> {
  const files: FormFile[] = [];
  const placeholders: string[] = [];
  try {
    const fields = request.isMultipart()
      ? await readParts(request, deps, { files, placeholders })
      : fieldsOf(request.body);
    return await use(formOf(fields, files));
  } finally {
    for (const { picture } of files) await picture.discard();
    await deps.stagedImages.drop(placeholders);
  }
}

function formOf(fields: Map<string, string>, files: FormFile[]): Form {
  return {
    text: (field) => fields.get(field)?.trim() || undefined,
    names: () => [...new Set([...fields.keys(), ...files.map(({ field }) => field)])],
    count: (...names) => files.filter(({ field }) => names.includes(field)).length,
    takeFile(...names) {
      const at = files.findIndex(({ field }) => names.includes(field));
      return at < 0 ? undefined : files.splice(at, 1)[0]?.picture;
    },
  };
}

async function readParts(
  request: FastifyRequest,
  { pictures, settings, stagedImages }: FormReaderDeps,
  { files, placeholders }: { files: FormFile[]; placeholders: string[] },
): Promise<Map<string, string>> {
  const { maxSourceBytes, maxBodyBytes } = settings.get();
  const account = bodyAccountOf(request);
  const forField: FieldOptions = {
    pictures: stagedImages,
    account,
    placeholders,
    maxPictureBytes: maxBodyBytes,
  };
  const fields = new Map<string, string>();
  try {
    for await (const part of request.parts(partOptions(maxSourceBytes))) {
      const { fieldname: field } = part;
      if (part.type === 'field') {
        const value = String(part.value);
        account.add(value.length);
        if (part.valueTruncated) throw tooLong(field, maxFieldBytes);
        fields.set(field, value);
      } else if (isFile(part.mimetype, part.filename))
        files.push({ field, picture: await pictures.receiveFile(part.file, part.filename) });
      else fields.set(field, await readFieldText(field, part.file, forField));
    }
  } catch (cause) {
    throw asBroken(cause);
  }
  return fields;
}

function partOptions(maxSourceBytes: number) {
  return {
    // Text that may be a picture is streamed like a file.
    isPartAFile: (field: string | undefined, type: string | undefined, name: string | undefined) =>
      isFile(type, name) || mayHoldPicture(field ?? ''),
    limits: {
      // One byte more than allowed, to distinguish a file at the limit from a larger one.
      fileSize: maxSourceBytes + 1,
      fieldSize: maxFieldBytes,
      headerSize: 8 * 1024,
      files: maxFiles,
      fields: maxFields,
      parts: maxFiles + maxFields,
    },
  };
}

const isFile = (type: string | undefined, name: string | undefined) =>
  type === 'application/octet-stream' || name !== undefined;

/** Converts errors of the form parser; a full disk stays one. */
function asBroken(cause: unknown): unknown {
  if (cause instanceof EnlargerError) return cause;
  const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : 400;
  if (status === 413)
    return new EnlargerError(
      'PAYLOAD_TOO_LARGE',
      `The form has more than ${maxFields} fields or ${maxFiles} files.`,
      { cause },
    );
  if (isDiskFull(cause)) return cause;
  return new EnlargerError('INVALID_REQUEST', 'Expected a whole form with a file in it.', {
    cause,
  });
}

/** Fields of a JSON object as texts; other values than strings stay JSON. */
function fieldsOf(body: unknown): Map<string, string> {
  if (body === undefined || body === null) return new Map();
  if (typeof body !== 'object' || Array.isArray(body))
    throw new EnlargerError('INVALID_REQUEST', 'Expected the body to be an object with fields.');
  const present = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  return new Map(present.map(([name, value]) => [name, asText(value)]));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
