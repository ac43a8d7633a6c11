/** Puts a result under its name, whole or not at all, and never over a file that nobody agreed to lose. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import type { ConflictRule } from '../../../contract/src/request.ts';
import { renameWithRetry } from '../../../files/src/clear-away.ts';
import { isFileProblem } from '../../../files/src/file-errors.ts';
import { fileReason } from '../error-message.ts';
import { renameWithoutOverwriting } from '../../../files/src/exclusive-name.ts';
import { makeFolder } from '../local-files.ts';
import { t } from '../text.ts';

/**
 * Streams the body into a file beside its target, syncs it and gives it its name. It returns the path that
 * the result got, or undefined when the name was taken and the rule is 'skip'. It throws an error whose
 * message is a sentence.
 *
 * @param folder of the target, in messages
 */
export async function saveResult(
  response: Response,
  target: string,
  rule: ConflictRule,
  folder = path.dirname(target),
): Promise<string | undefined> {
  makeFolder(path.dirname(target));
  const temporary = path.join(path.dirname(target), `.enlarger-${randomUUID()}.part`);
  try {
    await writeSynced(response, temporary);
    if (rule !== 'overwrite') return await giveFreeName(temporary, target, rule);
    await renameWithRetry(temporary, target);
    return target;
  } catch (error) {
    if (!isFileProblem(error)) throw error;
    throw new Error(
      t('The result cannot be saved in {folder}: {reason}', {
        folder,
        reason: fileReason(error),
      }),
      {
        cause: error,
      },
    );
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeSynced(response: Response, file: string): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    const sizeBytes = await writeBody(response, handle);
    const expected = response.headers.get('content-length');
    if (expected !== null && Number(expected) !== sizeBytes)
      throw new Error(
        t('The result ended after {size} of {total} bytes.', { size: sizeBytes, total: expected }),
      );
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeBody(response: Response, handle: FileHandle): Promise<number> {
  let sizeBytes = 0;
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (body === null) throw new Error(t('The service answered without a result.'));
  for await (const chunk of body) {
    await handle.writeFile(chunk);
    sizeBytes += chunk.byteLength;
  }
  return sizeBytes;
}

async function giveFreeName(
  temporary: string,
  target: string,
  rule: 'number' | 'skip',
): Promise<string | undefined> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? target : numbered(target, number);
    if (await renameWithoutOverwriting(temporary, name)) return name;
    if (rule === 'skip') return undefined;
  }
}

function numbered(target: string, number: number): string {
  const { dir, name, ext } = path.parse(target);
  return path.join(dir, `${name} (${number})${ext}`);
}
