/** Collects what a task's result is named from. */
import { scaleAsked, scaleInName, type NamedResult } from '../../contract/naming.ts';
import type { PictureInfo } from '../../contract/task.ts';
import { sourceNameOf } from '../sources/source-name.ts';
import type { Task } from '../store/tasks/task.ts';

/**
 * Collects the parts of the name.
 * @param made what is known of the source and of the result
 * @param dateMs the wall clock's time that gives the date in the name
 */
export function namedResult(
  { source, options }: Pick<Task, 'source' | 'options'>,
  made: { input: PictureInfo; output: PictureInfo },
  dateMs: number,
): NamedResult {
  return {
    sourceName: sourceNameOf(source),
    scale: scaleInName(scaleAsked(options), made),
    model: options.model,
    date: new Date(dateMs),
    format: made.output.format,
  };
}
