/** Finds what a reading of the service may tell too late, because events overtook it. */
import type { TaskChange } from '../../../packages/contract/src/task.ts';

/** Changes of tasks since a reading began, by task. */
export type ChangesMeanwhile = ReadonlyMap<string, Pick<TaskChange, 'removed'>>;

export class ReadingsUnderWay {
  readonly #open = new Set<Map<string, Pick<TaskChange, 'removed'>>>();

  /** Notes a change for all readings that are under way. */
  note(change: Pick<TaskChange, 'taskId' | 'removed'>): void {
    for (const meanwhile of this.#open) meanwhile.set(change.taskId, change);
  }

  /** Runs `read`, and returns what changed until its answer was here. */
  async during<T>(read: () => Promise<T>): Promise<[answer: T, meanwhile: ChangesMeanwhile]> {
    const meanwhile = new Map<string, Pick<TaskChange, 'removed'>>();
    this.#open.add(meanwhile);
    try {
      return [await read(), meanwhile];
    } finally {
      this.#open.delete(meanwhile);
    }
  }
}
