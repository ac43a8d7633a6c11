/**
 * Looks at the pictures of waiting tasks, one after the other beside the queue's work, so that it can be said
 * what they will make and cost. Pictures elsewhere are not fetched for it.
 */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../contract/admin.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { Log } from '../../contract/log.ts';
import type { SourceInspection } from '../../engine/protocol.ts';
import { fetchSource } from '../sources/fetch-source.ts';
import { openGrantedFile } from '../settings/granted.ts';
import type { Look, Looks } from '../store/looks.ts';
import type { StoredSource } from '../store/stored-task.ts';
import type { TaskEvents } from '../tasks/task-row.ts';

export interface LookAheadOptions {
  looks: Looks;
  events: Pick<TaskEvents, 'subscribe'>;
  inspect(
    path: string,
    limits: { sourcePixels: number; resultPixels: number },
  ): Promise<SourceInspection>;
  scratchDir: string;
  settings(): Settings;
  log: Log;
}

export interface LookAhead {
  /** Resolves when nothing is looked at any more. */
  close(): Promise<void>;
}

/** Most pictures say what they are in their first bytes; a whole one is copied only where they do not. */
const headBytes = 1024 * 1024;
const copyTimeoutMs = 30_000;

export function createLookAhead(options: LookAheadOptions): LookAhead {
  const { looks, events, log } = options;
  let isClosing = false;
  let working: Promise<void> | undefined;
  const work = async () => {
    for (let task = looks.nextToLookAt(); task && !isClosing; task = looks.nextToLookAt())
      looks.keepLook(task.taskId, await lookAt(task.source, options));
  };
  const begin = () => {
    if (working || isClosing) return;
    working = work()
      .catch((thrown: unknown) => {
        log('warn', 'A waiting picture could not be looked at.', { error: String(thrown) });
      })
      .finally(() => (working = undefined));
  };
  const unsubscribe = events.subscribe(undefined, ({ task }) => {
    if (task.status === 'PENDING') setImmediate(begin);
  });
  setImmediate(begin);
  return {
    async close() {
      isClosing = true;
      unsubscribe();
      await working;
    },
  };
}

async function lookAt(source: StoredSource, options: LookAheadOptions): Promise<Look> {
  if (source.kind === 'url') return { not: true };
  if (source.kind !== 'file') return inspectAt(source.path, options);
  const copy = join(options.scratchDir, `look-${randomUUID()}`);
  try {
    await copyHead(source.path, copy, options);
    const first = await inspectAt(copy, options);
    if (!('problem' in first)) return first;
    await rm(copy, { force: true });
    const signal = AbortSignal.timeout(copyTimeoutMs);
    await fetchSource(source, { toPath: copy, signal, settings: options.settings() });
    return await inspectAt(copy, options);
  } catch (thrown) {
    return problemOf(thrown);
  } finally {
    await rm(copy, { force: true });
  }
}

async function copyHead(from: string, to: string, options: LookAheadOptions): Promise<void> {
  const { grantedFolders } = options.settings();
  const file = await openGrantedFile(from, grantedFolders);
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    await writeFile(to, head.subarray(0, bytesRead), { mode: 0o600, flag: 'wx' });
  } finally {
    await file.close();
  }
}

async function inspectAt(path: string, options: LookAheadOptions): Promise<Look> {
  const { maxSourcePixels, maxResultPixels } = options.settings();
  try {
    const limits = { sourcePixels: maxSourcePixels, resultPixels: maxResultPixels };
    return { picture: { ...(await options.inspect(path, limits)), sizeBytes: 0 } };
  } catch (thrown) {
    return problemOf(thrown);
  }
}

/** What is not the picture's fault is not known: its task will find out. */
function problemOf(thrown: unknown): Look {
  if (!(thrown instanceof EnlargerError) || thrown.code === 'INTERNAL') return { not: true };
  return { problem: { code: thrown.code, message: thrown.message } };
}
