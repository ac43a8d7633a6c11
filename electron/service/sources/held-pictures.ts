/**
 * Pictures that are text inside a JSON body. They are decoded into a file while the body is read, so that a
 * large one does not block the process. A placeholder stands in the field until the response is sent.
 */
import { asError } from '../../contract/faults.ts';
import { createHash, randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { createDataUrlDecoder, noData } from './data-url.ts';

export interface HeldPictures {
  /** @param isBare base64 without the head of a data: URL is expected */
  begin(isBare: boolean): Promise<HeldWriter>;
  /**
   * Returns the picture of a placeholder, owned by the caller from here on; undefined for other texts.
   * @throws EnlargerError INVALID_REQUEST if the text was no picture
   */
  take(text: string): HeldPicture | undefined;
  /** Equal for equal pictures; undefined for other texts. */
  fingerprintOf(text: string): string | undefined;
  /** Deletes the pictures of a request that has ended. */
  drop(words: readonly string[]): Promise<void>;
}

export interface HeldPicture {
  path: string;
  sizeBytes: number;
}

export interface HeldWriter {
  /** Text that stands in the field. */
  readonly word: string;
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

interface Held extends HeldPicture {
  fingerprint: string;
  file: FileHandle;
  /** Why the text is no picture; thrown by take(). */
  refusal: Error | undefined;
}

export function createHeldPictures(scratchDir: string): HeldPictures {
  const all = new Map<string, Held>();
  return {
    async begin(isBare) {
      const word = `data:;held=${randomUUID()},`;
      const file = path.join(scratchDir, `held-${randomUUID()}`);
      const held: Held = {
        path: file,
        sizeBytes: 0,
        fingerprint: '',
        file: await open(file, 'wx', 0o600),
        refusal: undefined,
      };
      all.set(word, held);
      return createWriter(word, held, isBare);
    },
    take(text) {
      const held = all.get(text.trim());
      if (!held) return undefined;
      if (held.refusal !== undefined) throw held.refusal;
      if (held.sizeBytes === 0) throw noData();
      all.delete(text.trim());
      return { path: held.path, sizeBytes: held.sizeBytes };
    },
    fingerprintOf: (text) => all.get(text.trim())?.fingerprint,
    async drop(words) {
      for (const word of words) {
        const held = all.get(word);
        all.delete(word);
        if (!held) continue;
        await held.file.close();
        await rm(held.path, { force: true });
      }
    },
  };
}

function createWriter(word: string, held: Held, isBare: boolean): HeldWriter {
  const decoder = createDataUrlDecoder();
  const hash = createHash('sha256');
  if (isBare) decoder.push('data:;base64,');
  const store = async (decode: () => Buffer) => {
    if (held.refusal !== undefined) return;
    let bytes: Buffer;
    try {
      bytes = decode();
    } catch (thrown) {
      held.refusal = asError(thrown);
      return;
    }
    await held.file.writeFile(bytes);
    held.sizeBytes += bytes.length;
  };
  return {
    word,
    write(text) {
      hash.update(text);
      return store(() => decoder.push(text));
    },
    async end() {
      await store(() => decoder.end());
      await held.file.sync();
      await held.file.close();
      held.fingerprint = hash.digest('hex');
    },
  };
}
