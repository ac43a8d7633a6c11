/** A task's options become the submit that makes them, to be edited, changed and run again. All here is pure. */
import type { RemoveBackgroundOptions, UpscaleOptions } from './submit.ts';
import type { TaskOptions } from './task.ts';

export type RequestFields = UpscaleOptions & RemoveBackgroundOptions;

export function requestOf(options: TaskOptions): RequestFields {
  const { format, formatChosen, enlarge, ...same } = options;
  return {
    ...sized(same),
    ...(enlarge && { enlarge: sized(enlarge) }),
    ...(formatChosen && { format }),
  };
}

/** Puts a submit's field in the place of a target; a print's target was made of its size. */
function sized<T extends Pick<TaskOptions, 'target' | 'printSize'>>({ target, ...same }: T) {
  return { ...same, ...(target && !same.printSize && { [target.kind]: target.value }) };
}
