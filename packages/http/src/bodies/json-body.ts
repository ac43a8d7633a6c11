/**
 * Streaming reader of JSON bodies. Deep nesting and millions of parts would block other callers and are
 * rejected before parsing. Large pictures go to files as they arrive, so the parsed text is small.
 */
import { StringDecoder } from 'node:string_decoder';
import { asError } from '../../../contract/src/error-messages.ts';
import { EnlargerError } from '../../../contract/src/errors.ts';
import type { BodyAccount } from './body-budget.ts';
import { JsonScanner, type BodyPiece, type PictureFields } from './json-scanner.ts';

/** Receives a picture's text; its placeholder stands in the field. */
export interface PictureWriter {
  readonly placeholder: string;
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

export interface PictureSink {
  /** @param isBare base64 without the head of a data: URL is expected */
  begin(isBare: boolean): Promise<PictureWriter>;
  /** Drops the pictures of these placeholders. */
  drop(placeholders: readonly string[]): Promise<void>;
}

interface JsonBodyOptions {
  /** Content-Length, or 0 if absent. */
  announced: number;
  maxBytes: number;
  pictures: PictureSink;
  fields: PictureFields;
  /** Counts bytes in memory. */
  account: BodyAccount;
  /** Placeholders are added as soon as their files exist. */
  placeholders?: string[];
}

export interface JsonBody {
  /** A placeholder stands for each large picture. */
  text: string;
  placeholders: string[];
}

/** Limit of the text without its pictures. */
const maxPlainBytes = 20 * 1024 * 1024;

/**
 * A rejected body is read to its end and dropped, so that the client reads the response; no picture is staged
 * then.
 * @throws EnlargerError INVALID_REQUEST, PAYLOAD_TOO_LARGE, or errors of the disk
 */
export async function readJsonBody(
  payload: AsyncIterable<Buffer>,
  options: JsonBodyOptions,
): Promise<JsonBody> {
  const { announced, maxBytes, pictures, account, placeholders = [] } = options;
  const scanner = new JsonScanner(options.fields);
  const plain: Buffer[] = [];
  let picture: ReturnType<typeof createPictureText> | undefined;
  let plainBytes = 0;
  let sizeBytes = 0;
  let refusal: Error | undefined = announced > maxBytes ? tooLarge(maxBytes) : undefined;
  const take = async (piece: BodyPiece) => {
    if (piece.kind === 'plain') {
      plainBytes += piece.bytes.length;
      if (plainBytes > maxPlainBytes) throw tooMuch();
      account.add(piece.bytes.length);
      plain.push(piece.bytes);
    } else if (piece.kind === 'picture') {
      const writer = await pictures.begin(piece.isBare);
      placeholders.push(writer.placeholder);
      plain.push(Buffer.from(writer.placeholder));
      picture = createPictureText(writer);
    } else if (piece.kind === 'text') await picture?.write(piece.bytes);
    else await picture?.end();
  };
  try {
    for await (const chunk of payload) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) refusal ??= tooLarge(maxBytes);
      if (refusal !== undefined) continue;
      try {
        for (const piece of scanner.scan(chunk)) await take(piece);
      } catch (thrown) {
        refusal = asError(thrown);
        plain.length = 0;
        account.clear();
      }
    }
    if (refusal !== undefined) throw refusal;
    plain.push(scanner.rest());
    return { text: Buffer.concat(plain).toString('utf8'), placeholders };
  } catch (thrown) {
    await pictures.drop(placeholders);
    throw thrown;
  }
}

/** Unescapes the JSON string of a picture and writes its text. */
function createPictureText(writer: PictureWriter) {
  const decoder = new StringDecoder('utf8');
  let cut = '';
  return {
    async write(bytes: Buffer): Promise<void> {
      const text = cut + decoder.write(bytes);
      const end = endOfComplete(text);
      cut = text.slice(end);
      await writer.write(unescaped(text.slice(0, end)));
    },
    async end(): Promise<void> {
      await writer.write(unescaped(cut + decoder.end()));
      await writer.end();
    },
  };
}

/** Index before an escape that may continue in the next chunk. */
function endOfComplete(text: string): number {
  const cut = /\\(?:u[0-9A-Fa-f]{0,3})?$/.exec(text.slice(-5))?.[0];
  if (cut === undefined) return text.length;
  const start = text.length - cut.length;
  let before = start;
  while (text[before - 1] === '\\') before -= 1;
  // An even number of backslashes: nothing is cut.
  return (start - before) % 2 === 0 ? start : text.length;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch (cause) {
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected the body to be JSON, but a string in it is not.',
      { cause },
    );
  }
}

export function tooLarge(maxBytes: number): EnlargerError {
  return new EnlargerError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${maxBytes} bytes, the limit in the settings (maxBodyBytes).`,
  );
}

function tooMuch(): EnlargerError {
  return new EnlargerError(
    'PAYLOAD_TOO_LARGE',
    `Expected at most ${maxPlainBytes} bytes beside the picture, but received more.`,
  );
}
