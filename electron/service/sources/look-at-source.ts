/** Inspects a source at the least cost: of a person's own file it mostly reads only the parts that tell. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';
import type { Limits, SourceInspection } from '../../engine/protocol/messages.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import { fetchHead, type FileSource } from './fetch-source.ts';
import { limitsOf, withLocalSource, type LocalSourceOptions } from './local-source.ts';

/** Such a function throws what a task would fail with. */
export type LookAt = (source: TaskSource) => Promise<SourceInspection>;

interface LookOptions extends LocalSourceOptions {
  inspect(path: string, limits: Limits): Promise<SourceInspection>;
}

const headTimeoutMs = 30_000;

/** Inspects a source. It throws what a task would fail with. */
export async function lookAtSource(
  source: TaskSource,
  options: LookOptions,
): Promise<SourceInspection> {
  const byHead = source.kind === 'file' ? await lookAtHead(source, options) : undefined;
  if (byHead !== undefined) return byHead;
  return withLocalSource(source, options, ({ sourcePath, limits }) =>
    options.inspect(sourcePath, limits),
  );
}

/**
 * Inspects a file by its head; undefined where the head alone does not say what the picture is. It throws
 * when the file may not be read.
 */
async function lookAtHead(
  source: FileSource,
  options: LookOptions,
): Promise<SourceInspection | undefined> {
  const toPath = join(options.scratchDir, `look-${randomUUID()}`);
  const known = options.settings();
  const signal = AbortSignal.timeout(headTimeoutMs);
  try {
    const head = await fetchHead(source, { toPath, signal, settings: known });
    if (!head) return undefined;
    return { ...(await options.inspect(toPath, limitsOf(known))), ...head };
  } catch (thrown) {
    const isUnclear = thrown instanceof EnlargerError && ofPicture.includes(thrown.code);
    if (isUnclear) return undefined;
    throw thrown;
  } finally {
    await rm(toPath, { force: true });
  }
}

/** A part of a picture may be refused with these codes although the whole picture would not be. */
const ofPicture: readonly string[] = ['UNREADABLE_IMAGE', 'IMAGE_TOO_LARGE'];
