/**
 * Inspects the pictures of waiting tasks one by one in the background, so that estimates know their size and
 * cost. Pictures on other servers are not fetched for this.
 */
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Log } from '../../../packages/contract/src/log.ts';
import type { InspectSource } from '../sources/inspect-source.ts';
import type { InspectionTable } from '../store/tasks/inspections.ts';
import type { Inspection, TaskSource } from '../store/tasks/task.ts';
import type { TaskEvents } from './tasks.ts';

interface BackgroundInspectorOptions {
  inspectSource: InspectSource;
  inspections: InspectionTable;
  events: Pick<TaskEvents, 'subscribe'>;
  log: Log;
  /** Time that a task waits before its picture is inspected. */
  delayMs?: number;
}

/** A task that starts at once is inspected by its job. */
const defaultDelayMs = 300;

export interface BackgroundInspector {
  /** Resolves when no inspection is running. */
  close(): Promise<void>;
}

export function createBackgroundInspector(
  options: BackgroundInspectorOptions,
): BackgroundInspector {
  const { inspections, events, log, delayMs = defaultDelayMs } = options;
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  const work = async () => {
    for (
      let task = inspections.nextUninspected();
      task && !isClosing;
      task = inspections.nextUninspected()
    )
      inspections.saveInspection(task.taskId, await inspect(task.source, options));
  };
  const begin = () => {
    if (working || isClosing) return;
    working = work()
      .catch((thrown: unknown) => {
        log('warn', 'A waiting picture could not be looked at.', { error: String(thrown) });
      })
      .finally(() => (working = undefined));
  };
  const beginLater = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      begin();
    }, delayMs);
  };
  const unsubscribe = events.subscribe(undefined, ({ task }) => {
    if (task.status === 'PENDING') beginLater();
  });
  beginLater();
  return {
    async close() {
      isClosing = true;
      clearTimeout(timer);
      unsubscribe();
      await working;
    },
  };
}

async function inspect(
  source: TaskSource,
  options: BackgroundInspectorOptions,
): Promise<Inspection> {
  if (source.kind === 'url') return { not: true };
  try {
    return { picture: await options.inspectSource(source) };
  } catch (thrown) {
    return problemOf(thrown);
  }
}

/**
 * Only a defect of the picture itself is stored; for other errors the inspection stays empty, and the task
 * will report them.
 */
function problemOf(thrown: unknown): Inspection {
  if (!(thrown instanceof EnlargerError) || thrown.code === 'INTERNAL') return { not: true };
  return { problem: { code: thrown.code, message: thrown.message } };
}
