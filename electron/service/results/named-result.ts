import {
  requestedScale,
  scaleInName,
  sizeInName,
  type NamedResult,
} from '../../../packages/contract/src/naming.ts';
import type { PictureInfo } from '../../../packages/contract/src/task.ts';
import { sourceNameOf } from '../sources/source-name.ts';
import type { Task } from '../store/tasks/task.ts';

/**
 * Values for a result's name template.
 * @param made the source and the result
 * @param dateMs wall clock, for {date}
 */
export function namedResult(
  { source, options }: Pick<Task, 'source' | 'options'>,
  made: { input: PictureInfo; output: PictureInfo },
  dateMs: number,
): NamedResult {
  return {
    sourceName: sourceNameOf(source),
    scale: scaleInName(requestedScale(options), made),
    size: sizeInName(options, made.output),
    model: options.model,
    date: new Date(dateMs),
    format: made.output.format,
  };
}
