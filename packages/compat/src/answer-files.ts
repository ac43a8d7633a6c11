/**
 * Sends results as response bodies, plain or as base64 in JSON. Files are streamed, never whole in memory.
 */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { openPlainFile } from '../../files/src/plain-file.ts';

export async function sendPicture(reply: FastifyReply, path: string, type: string) {
  const file = await openPlainFile(path);
  const { size } = await file.stat();
  return reply
    .header('content-length', size)
    .type(type)
    .send(file.createReadStream({ highWaterMark: 1 << 18 }));
}

/** A file whose base64 goes into the JSON of a response; a random token marks its position. */
export class Base64File {
  readonly path: string;
  readonly token: string = randomUUID();

  constructor(path: string) {
    this.path = path;
  }

  toJSON(): string {
    return this.token;
  }
}

/** A multiple of 3, so that base64 pieces join without padding. */
const pieceBytes = 3 * (1 << 16);

/**
 * Sends `value` as JSON with the files' base64.
 * @param files all files in `value`, in the order of the JSON
 */
export async function sendJsonWithFiles(
  reply: FastifyReply,
  value: unknown,
  files: readonly Base64File[],
) {
  const parts = splitAt(JSON.stringify(value), files);
  let length = 0;
  for (const part of parts)
    length +=
      typeof part === 'string'
        ? Buffer.byteLength(part)
        : 4 * Math.ceil((await stat(part.path)).size / 3);
  return reply
    .header('content-length', length)
    .type('application/json; charset=utf-8')
    .send(Readable.from(piecesOf(parts), { objectMode: false }));
}

function splitAt(text: string, files: readonly Base64File[]): (string | Base64File)[] {
  return files.reduce<(string | Base64File)[]>(
    (parts, file) => {
      const last = parts.pop();
      const [before = '', after = ''] = typeof last === 'string' ? last.split(file.token) : [];
      return [...parts, before, file, after];
    },
    [text],
  );
}

async function* piecesOf(parts: (string | Base64File)[]): AsyncGenerator<string> {
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else yield* base64Of(part.path);
  }
}

async function* base64Of(path: string): AsyncGenerator<string> {
  let left: Buffer = Buffer.alloc(0);
  const file = await openPlainFile(path);
  for await (const chunk of file.createReadStream({ highWaterMark: pieceBytes })) {
    const bytes = Buffer.concat([left, chunk as Buffer]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.subarray(0, whole).toString('base64');
    left = bytes.subarray(whole);
  }
  yield left.toString('base64');
}
