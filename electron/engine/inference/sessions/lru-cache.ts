/** Keeps the most recently used few of what was opened by a key, and closes the others. */
export interface LruCache<Opened> {
  get(key: string, open: () => Promise<Opened>): Promise<Opened>;
  /** Closes all of them. */
  drop(): Promise<void>;
}

export function createLruCache<Opened>(
  most: number,
  close: (opened: Opened) => Promise<void>,
): LruCache<Opened> {
  const kept = new Map<string, Opened>();
  return {
    async get(key, open) {
      const known = kept.get(key);
      kept.delete(key);
      const opened = known ?? (await open());
      kept.set(key, opened);
      const [oldest] = kept;
      if (kept.size > most && oldest) {
        kept.delete(oldest[0]);
        await close(oldest[1]);
      }
      return opened;
    },
    async drop() {
      const all = [...kept.values()];
      kept.clear();
      for (const opened of all) await close(opened);
    },
  };
}
