/** A task's options as the submit that makes them: what is edited, changed and run again. Pure. */
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

/** With the field of a submit in the place of a target; a print's was made of its size. */
function sized<T extends Pick<TaskOptions, 'target' | 'printSize'>>({ target, ...same }: T) {
  return { ...same, ...(target && !same.printSize && { [target.kind]: target.value }) };
}
