/**
 * Inspects the pictures of waiting tasks one by one in the background, so that estimates know their size and
 * cost. Pictures on other servers are not fetched for this.
 */
import { EnlargerError } from '../../contract/errors.ts';
import type { Log } from '../../contract/log.ts';
import type { LookAt } from '../sources/look-at-source.ts';
import type { Looks } from '../store/tasks/looks.ts';
import type { Look, TaskSource } from '../store/tasks/task.ts';
import type { TaskEvents } from './tasks.ts';

interface LookAheadOptions {
  lookAt: LookAt;
  looks: Looks;
  events: Pick<TaskEvents, 'subscribe'>;
  log: Log;
}

export interface LookAhead {
  /** Resolves when no inspection is running. */
  close(): Promise<void>;
}

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

async function lookAt(source: TaskSource, options: LookAheadOptions): Promise<Look> {
  if (source.kind === 'url') return { not: true };
  try {
    return { picture: await options.lookAt(source) };
  } catch (thrown) {
    return problemOf(thrown);
  }
}

/**
 * Only a defect of the picture itself is stored; for other errors the inspection stays empty, and the task
 * will report them.
 */
function problemOf(thrown: unknown): Look {
  if (!(thrown instanceof EnlargerError) || thrown.code === 'INTERNAL') return { not: true };
  return { problem: { code: thrown.code, message: thrown.message } };
}
