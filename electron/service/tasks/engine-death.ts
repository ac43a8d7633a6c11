/** What the queue knows of the engine's death: that it was one, and whether this task is to blame. */
export function engineDeathOf(thrown: unknown): { blamed: boolean } | undefined {
  if (!(thrown instanceof Error) || thrown.name !== 'EngineDied') return undefined;
  return { blamed: 'blamed' in thrown && thrown.blamed === true };
}
