/** A task's options as the submit that makes them: what is edited, changed and run again. Pure. */
import type { RemoveBackgroundOptions, UpscaleOptions } from './submit.ts';
import type { TaskOptions } from './task.ts';

export type RequestFields = UpscaleOptions & RemoveBackgroundOptions;

export function requestOf(options: TaskOptions): RequestFields {
  const { target, format, formatChosen, ...same } = options;
  return {
    ...same,
    // A print's target was made of its size.
    ...(target && !options.printSize && { [target.kind]: target.value }),
    ...(formatChosen && { format }),
  };
}
