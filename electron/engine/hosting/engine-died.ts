import { OwnWords } from '../../contract/faults.ts';

export type EngineEnd = 'exit' | 'hang' | 'memory' | 'start';

/** The engine process ended under a job. */
export class EngineDied extends OwnWords {
  override readonly name = 'EngineDied';
  /** `start`: it never came so far as to take a job. */
  readonly reason: EngineEnd;
  /** Whether the job may be why: on a hang only the one that hung, else all that were in flight. */
  readonly blamed: boolean;

  constructor(reason: EngineEnd, blamed: boolean, message: string) {
    super(message);
    this.reason = reason;
    this.blamed = blamed;
  }
}
