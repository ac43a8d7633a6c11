import type { TaskRecord } from '../../../packages/contract/src/task.ts';

/** How much a result was sharpened, 0 to 100. */
export const sharpeningOf = ({ options }: Pick<TaskRecord, 'options'>): number =>
  (options.enlarge ?? options).sharpen ?? 0;

/** Whether a result was sharpened or given grain after it was compared with its photo. */
export const isFinishedLater = (record: Pick<TaskRecord, 'options' | 'measured'>): boolean =>
  sharpeningOf(record) > 0 || record.measured?.grain !== undefined;
