/** Highest priority of a task: a person waits for it. A conversion or a cut-out then runs beside a running task. */
export const awaitedPriority = 10;
