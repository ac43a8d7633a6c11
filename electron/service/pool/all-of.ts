/** Waits for the ends of all, so that nothing goes on behind, and then throws the first failure. */
export async function allOf<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
