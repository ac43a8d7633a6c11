/**
 * Waits until all promises have settled, so that no work continues unobserved, then throws the first failure.
 */
export async function allOf<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
