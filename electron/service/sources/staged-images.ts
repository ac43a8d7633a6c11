/**
 * Pictures that are text inside a JSON body. They are decoded into a file while the body is read, so that a
 * large one does not block the process. A placeholder stands in the field until the response is sent.
 */
import { asError } from '../../../packages/contract/src/error-messages.ts';
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { createHash, randomUUID, type Hash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { plainName } from './uploads.ts';
import { receiveFile } from './received-file.ts';
import { createDataUrlDecoder, noData } from './data-url.ts';

export interface StagedImages {
  /**
   * Stages a file and returns its placeholder.
   * @param about.name the sender's file name
   * @throws EnlargerError PAYLOAD_TOO_LARGE or STORAGE_FULL
   */
  receive(
    chunks: AsyncIterable<Uint8Array>,
    about: { name: string; maxBytes: number },
  ): Promise<string>;
  /** @param isBare base64 without the head of a data: URL is expected */
  begin(isBare: boolean): Promise<StagedImageWriter>;
  /**
   * Returns the picture of a placeholder, owned by the caller from here on; undefined for other texts.
   * @throws EnlargerError INVALID_REQUEST if the text was no picture
   */
  take(text: string): StagedImage | undefined;
  /** Equal for equal pictures; undefined for other texts. */
  fingerprintOf(text: string): string | undefined;
  /** Deletes the pictures of a request that has ended. */
  drop(placeholders: readonly string[]): Promise<void>;
}

export interface StagedImage {
  path: string;
  sizeBytes: number;
  /** The sender's file name; absent for text. */
  name?: string;
}

export interface StagedImageWriter {
  /** Text that stands in the field. */
  readonly placeholder: string;
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

interface StagedEntry extends StagedImage {
  fingerprint: string;
  /** Absent for a file that was received whole. */
  file?: FileHandle;
  /** Why the text is no picture; thrown by take(). */
  refusal: Error | undefined;
}

export function createStagedImages(scratchDir: string): StagedImages {
  const all = new Map<string, StagedEntry>();
  return {
    async receive(chunks, { name, maxBytes }) {
      const placeholder = placeholderOf();
      const file = path.join(scratchDir, `held-${randomUUID()}`);
      const hash = createHash('sha256');
      const { sizeBytes } = await receiveFile(file, hashed(chunks, hash), {
        maxBytes,
        tooLarge: 'PAYLOAD_TOO_LARGE',
        durable: true,
      });
      const fingerprint = hash.digest('hex');
      all.set(placeholder, {
        ...{ path: file, sizeBytes, name: plainName(name), fingerprint, refusal: undefined },
      });
      return placeholder;
    },
    async begin(isBare) {
      const placeholder = placeholderOf();
      const file = path.join(scratchDir, `held-${randomUUID()}`);
      const handle = await open(file, 'wx', 0o600);
      const staged: StagedEntry & { file: FileHandle } = {
        ...{ path: file, sizeBytes: 0, fingerprint: '', file: handle, refusal: undefined },
      };
      all.set(placeholder, staged);
      return createWriter(placeholder, staged, isBare);
    },
    take(text) {
      const staged = all.get(text.trim());
      if (!staged) return undefined;
      if (staged.refusal !== undefined) throw staged.refusal;
      if (staged.sizeBytes === 0) throw noPicture(staged);
      all.delete(text.trim());
      return pickDefined(staged, ['path', 'sizeBytes', 'name']);
    },
    fingerprintOf: (text) => all.get(text.trim())?.fingerprint,
    async drop(placeholders) {
      for (const word of placeholders) {
        const staged = all.get(word);
        all.delete(word);
        if (!staged) continue;
        await staged.file?.close();
        await rm(staged.path, { force: true });
      }
    },
  };
}

const noPicture = ({ name }: StagedImage) =>
  name === undefined
    ? noData()
    : new EnlargerError('INVALID_REQUEST', 'Expected a picture as file but received an empty one.');

const placeholderOf = () => `data:;held=${randomUUID()},`;

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

function createWriter(
  placeholder: string,
  staged: StagedEntry & { file: FileHandle },
  isBare: boolean,
): StagedImageWriter {
  const decoder = createDataUrlDecoder();
  const hash = createHash('sha256');
  if (isBare) decoder.push('data:;base64,');
  const store = async (decode: () => Buffer) => {
    if (staged.refusal !== undefined) return;
    let bytes: Buffer;
    try {
      bytes = decode();
    } catch (thrown) {
      staged.refusal = asError(thrown);
      return;
    }
    await staged.file.writeFile(bytes);
    staged.sizeBytes += bytes.length;
  };
  return {
    placeholder,
    write(text) {
      hash.update(text);
      return store(() => decoder.push(text));
    },
    async end() {
      await store(() => decoder.end());
      await staged.file.sync();
      await staged.file.close();
      staged.fingerprint = hash.digest('hex');
    },
  };
}
