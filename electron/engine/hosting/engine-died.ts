/** The engine process ended under a job. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
  readonly reason: 'exit' | 'hang' | 'memory';
  /** Whether the job may be why: on a hang only the one that hung, else all that were in flight. */
  readonly blamed: boolean;

  constructor(reason: 'exit' | 'hang' | 'memory', blamed: boolean, message: string) {
    super(message);
    this.reason = reason;
    this.blamed = blamed;
  }
}
