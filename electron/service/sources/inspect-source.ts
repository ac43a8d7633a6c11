/** Inspects a source at low cost: of a person's file mostly only the describing parts are read. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Limits, SourceInspection } from '../../engine/protocol/messages.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import { fetchHead, headBytes, type FileSource } from './fetch-source.ts';
import { limitsOf, withLocalSource, type LocalSourceOptions } from './local-source.ts';

/** Throws what the task would fail with. */
export type InspectSource = (source: TaskSource) => Promise<SourceInspection>;

interface InspectSourceOptions extends LocalSourceOptions {
  inspect(path: string, limits: Limits, isWhole: boolean): Promise<SourceInspection>;
}

const headTimeoutMs = 30_000;

/** Throws what the task would fail with. */
export async function inspectSource(
  source: TaskSource,
  options: InspectSourceOptions,
): Promise<SourceInspection> {
  const byHead = source.kind === 'file' ? await inspectHead(source, options) : undefined;
  if (byHead !== undefined) return byHead;
  return withLocalSource(source, options, ({ sourcePath, limits }) =>
    options.inspect(sourcePath, limits, true),
  );
}

/** Returns undefined if the parts are not enough. Throws if the file may not be read. */
async function inspectHead(
  source: FileSource,
  options: InspectSourceOptions,
): Promise<SourceInspection | undefined> {
  const toPath = join(options.scratchDir, `look-${randomUUID()}`);
  const known = options.settings();
  const signal = AbortSignal.timeout(headTimeoutMs);
  try {
    const head = await fetchHead(source, { toPath, signal, settings: known });
    if (!head) return undefined;
    const isWhole = head.sizeBytes <= headBytes;
    return { ...(await options.inspect(toPath, limitsOf(known), isWhole)), ...head };
  } catch (thrown) {
    const isUnclear = thrown instanceof EnlargerError && pictureErrors.includes(thrown.code);
    if (isUnclear) return undefined;
    throw thrown;
  } finally {
    await rm(toPath, { force: true });
  }
}

/** Codes that a partial file may cause although the whole one would not. */
const pictureErrors: readonly string[] = ['UNREADABLE_IMAGE', 'IMAGE_TOO_LARGE'];
