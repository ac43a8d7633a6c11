/**
 * Reads a request's fields from a form with files, a form without files, or JSON. Files are streamed to the
 * disk as they arrive; files that nobody took are deleted when the request is answered.
 */
import type { FastifyRequest } from 'fastify';
import type {} from '@fastify/multipart';
import { EnlargerError } from '../../contract/errors.ts';
import { isDiskFull } from '../../files/file-errors.ts';
import type { ApiDeps } from '../api/deps.ts';
import { plainName } from '../sources/uploads.ts';
import type { TaskSource } from '../store/tasks/task.ts';

export interface Form {
  /** Answers the field's last value, trimmed; undefined when there is none or it is empty. */
  text(field: string): string | undefined;
  names(): string[];
  /** Counts the files that came under these names. */
  count(...fields: string[]): number;
  /** Takes the first file under one of the names out of the form; the caller owns it from then on. */
  takeFile(...fields: string[]): TaskSource | undefined;
}

interface FormFile {
  field: string;
  source: TaskSource;
}

type FormDeps = Pick<ApiDeps, 'dataFiles' | 'settings'>;

const mostFiles = 32;
const mostFields = 200;

/**
 * Reads the form, calls `use` with it, and discards the files that were not taken. It throws INVALID_REQUEST,
 * PAYLOAD_TOO_LARGE, STORAGE_FULL and what `use` throws.
 */
export async function withForm<T>(
  request: FastifyRequest,
  deps: FormDeps,
  use: (form: Form) => Promise<T>,
): Promise<T> {
  const files: FormFile[] = [];
  try {
    const fields = request.isMultipart()
      ? await readParts(request, deps, files)
      : fieldsOf(request.body);
    return await use(formOf(fields, files));
  } finally {
    for (const { source } of files) await deps.dataFiles.discard(source);
  }
}

/**
 * Reads a form without files. The number of fields is limited, because each costs the parser more than its
 * bytes and reading must not hold up other requests. It throws PAYLOAD_TOO_LARGE for more.
 */
export function readUrlencoded(text: string): Record<string, string> {
  if (text.split('&', mostFields + 1).length > mostFields) throw tooMany();
  return Object.fromEntries(new URLSearchParams(text));
}

const tooMany = () =>
  new EnlargerError('PAYLOAD_TOO_LARGE', `The form has more than ${mostFields} fields.`);

function formOf(fields: Map<string, string>, files: FormFile[]): Form {
  return {
    text: (field) => fields.get(field)?.trim() || undefined,
    names: () => [...new Set([...fields.keys(), ...files.map(({ field }) => field)])],
    count: (...names) => files.filter(({ field }) => names.includes(field)).length,
    takeFile(...names) {
      const at = files.findIndex(({ field }) => names.includes(field));
      return at < 0 ? undefined : files.splice(at, 1)[0]?.source;
    },
  };
}

async function readParts(
  request: FastifyRequest,
  { dataFiles, settings }: FormDeps,
  files: FormFile[],
): Promise<Map<string, string>> {
  const { maxSourceBytes, maxBodyBytes } = settings.get();
  const fields = new Map<string, string>();
  let textBytes = 0;
  const limits = {
    // The limit is one byte above the allowed size, so that a file of exactly that size is not taken for a
    // larger one.
    fileSize: maxSourceBytes + 1,
    fieldSize: maxBodyBytes,
    files: mostFiles,
    fields: mostFields,
    parts: mostFiles + mostFields,
  };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        const value = String(part.value);
        textBytes += value.length;
        if (part.valueTruncated || textBytes > maxBodyBytes)
          throw tooLarge(part.fieldname, maxBodyBytes);
        fields.set(part.fieldname, value);
        continue;
      }
      const about = { name: plainName(part.filename), maxBytes: maxSourceBytes };
      files.push({ field: part.fieldname, source: await dataFiles.receive(part.file, about) });
    }
  } catch (cause) {
    throw asBroken(cause);
  }
  return fields;
}

function tooLarge(field: string, most: number): EnlargerError {
  return new EnlargerError(
    'PAYLOAD_TOO_LARGE',
    `The form's fields, up to ${field}, are larger than ${most} bytes, the limit in the settings (maxBodyBytes).`,
  );
}

/** Translates an error of the form's parser, which has no code of ours. A full disk stays what it is. */
function asBroken(cause: unknown): unknown {
  if (cause instanceof EnlargerError) return cause;
  const status = cause instanceof Error && 'statusCode' in cause ? Number(cause.statusCode) : 400;
  if (status === 413)
    return new EnlargerError(
      'PAYLOAD_TOO_LARGE',
      `The form has more than ${mostFields} fields or ${mostFiles} files.`,
      { cause },
    );
  if (isDiskFull(cause)) return cause;
  return new EnlargerError('INVALID_REQUEST', 'Expected a whole form with a file in it.', {
    cause,
  });
}

/** Turns the fields of a JSON object into texts, as a form holds them. Values other than strings stay JSON. */
function fieldsOf(body: unknown): Map<string, string> {
  if (body === undefined || body === null) return new Map();
  if (typeof body !== 'object' || Array.isArray(body))
    throw new EnlargerError('INVALID_REQUEST', 'Expected the body to be an object with fields.');
  const given = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  return new Map(given.map(([name, value]) => [name, asText(value)]));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
