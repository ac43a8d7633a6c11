/**
 * Streaming reader of form fields. Fields are short; long ones are base64 pictures, which go to a file as
 * they arrive.
 */
import { StringDecoder } from 'node:string_decoder';
import { EnlargerError } from '../../contract/src/errors.ts';
import type { BodyAccount, PictureSink } from '../../http/src/index.ts';

export interface FieldOptions {
  pictures: Pick<PictureSink, 'begin'>;
  account: BodyAccount;
  /** Placeholders of pictures are added; the list's owner drops them. */
  placeholders: string[];
  /** Limit of a field with a picture (maxBodyBytes of the settings). */
  maxPictureBytes: number;
}

/** Fields that hold pictures (remove.bg's); true if base64 may come without the head of a data: URL. */
const pictureFields = new Map([
  ['image_file_b64', true],
  ['image_url', false],
  ['bg_image_url', false],
]);

export const mayHoldPicture = (field: string): boolean => pictureFields.has(field);

export const maxFieldBytes = 64 * 1024;
export const maxFields = 200;
const maxNameBytes = 200;

/**
 * Text of a field, or a placeholder for a picture.
 * @throws EnlargerError PAYLOAD_TOO_LARGE for a longer text that is no picture, TOO_MANY_REQUESTS,
 *   STORAGE_FULL
 */
export async function readFieldText(
  field: string,
  text: AsyncIterable<Uint8Array>,
  options: FieldOptions,
): Promise<string> {
  const writer = createFieldText(field, options);
  for await (const bytes of text) await writer.write(Buffer.from(bytes));
  return writer.end();
}

function createFieldText(
  field: string,
  { pictures, account, placeholders, maxPictureBytes }: FieldOptions,
) {
  const decoder = new StringDecoder('utf8');
  let start = '';
  let sizeBytes = 0;
  let picture: Awaited<ReturnType<PictureSink['begin']>> | undefined;
  return {
    async write(bytes: Buffer): Promise<void> {
      sizeBytes += bytes.length;
      if (sizeBytes > maxPictureBytes) throw tooLong(field, maxPictureBytes);
      const text = decoder.write(bytes);
      if (picture) {
        await picture.write(text);
        return;
      }
      account.add(bytes.length);
      start += text;
      if (sizeBytes <= maxFieldBytes) return;
      const isUrl = /^\s*data:/i.test(start.slice(0, 100));
      if (!isUrl && pictureFields.get(field) !== true) throw tooLong(field, maxFieldBytes);
      picture = await pictures.begin(!isUrl);
      placeholders.push(picture.placeholder);
      await picture.write(start);
      start = '';
    },
    async end(): Promise<string> {
      if (!picture) return start + decoder.end();
      await picture.write(decoder.end());
      await picture.end();
      return picture.placeholder;
    },
  };
}

export const tooLong = (field: string, maxBytes: number) =>
  new EnlargerError(
    'PAYLOAD_TOO_LARGE',
    `The form's field ${field.slice(0, maxNameBytes)} has more than ${maxBytes} bytes; only a picture may have more than ${maxFieldBytes}, up to the limit in the settings (maxBodyBytes).`,
  );

export const tooManyFields = () =>
  new EnlargerError('PAYLOAD_TOO_LARGE', `The form has more than ${maxFields} fields.`);

/**
 * Form without files (application/x-www-form-urlencoded). The last value of a name counts. A rejected form is
 * read to its end and dropped, so that the client reads the response.
 * @throws EnlargerError PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, STORAGE_FULL
 */
export async function readUrlencoded(
  payload: AsyncIterable<Buffer>,
  options: FieldOptions & { announced: number },
): Promise<Record<string, string>> {
  const { announced, maxPictureBytes: maxBytes, account } = options;
  const form = createUrlencoded(options);
  let sizeBytes = 0;
  let refusal: Error | undefined;
  if (announced > maxBytes) refusal = tooLong('', maxBytes);
  for await (const chunk of payload) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) refusal ??= tooLong('', maxBytes);
    if (refusal !== undefined) continue;
    try {
      await form.write(chunk.toString('latin1'));
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      refusal = thrown;
      account.clear();
    }
  }
  if (refusal !== undefined) throw refusal;
  return form.end();
}

function createUrlencoded(options: FieldOptions) {
  const fields = new Map<string, string>();
  let count = 0;
  let name = '';
  let value: ReturnType<typeof createFieldText> | undefined;
  /** Escape that continues in the next chunk. */
  let cut = '';
  const endField = async () => {
    const field = decoded(name).toString('utf8');
    if (value || name !== '') {
      count += 1;
      if (count > maxFields) throw tooManyFields();
      fields.set(field, (await value?.end()) ?? '');
    }
    name = '';
    value = undefined;
  };
  const takePart = async (part: string) => {
    const equals = value ? -1 : part.indexOf('=');
    if (!value) {
      name += equals < 0 ? part : part.slice(0, equals);
      if (name.length > 3 * maxNameBytes) throw tooLong(name, maxNameBytes);
      if (equals < 0) return;
      value = createFieldText(decoded(name).toString('utf8'), options);
    }
    const text = cut + part.slice(equals + 1);
    cut = /%[0-9A-Fa-f]?$/.exec(text)?.[0] ?? '';
    await value.write(decoded(cut === '' ? text : text.slice(0, -cut.length)));
  };
  const flush = async () => {
    if (value && cut !== '') await value.write(decoded(cut));
    cut = '';
    await endField();
  };
  return {
    async write(text: string): Promise<void> {
      for (let at = 0; at < text.length;) {
        const ampersand = text.indexOf('&', at);
        const end = ampersand < 0 ? text.length : ampersand;
        await takePart(text.slice(at, end));
        if (ampersand >= 0) await flush();
        at = end + 1;
      }
    },
    async end(): Promise<Record<string, string>> {
      await flush();
      return Object.fromEntries(fields);
    },
  };
}

/** @param text latin1, one character per byte */
const decoded = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('+', ' ')
      .replace(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  );
