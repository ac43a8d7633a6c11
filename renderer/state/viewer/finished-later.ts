import type { TaskRecord } from '../../../electron/contract/task.ts';

/** Whether a result was sharpened or given grain after it was compared with its photo. */
export function isFinishedLater({ options, measured }: Pick<TaskRecord, 'options' | 'measured'>) {
  const { sharpen = 0 } = options.enlarge ?? options;
  return sharpen > 0 || measured?.grain !== undefined;
}
