/** A helper says so of a job that others may do: it is put back for a moment. */
export class LeaveJob extends Error {
  readonly forMs: number;

  constructor(forMs: number) {
    super('Left for another helper.');
    this.forMs = forMs;
  }
}
