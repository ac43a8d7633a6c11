/** Least-recently-used cache of open resources, which closes those it evicts. */
export interface LruCache<Opened> {
  get(key: string, open: () => Promise<Opened>): Promise<Opened>;
  /** Closes all of them. */
  clear(): Promise<void>;
}

export function createLruCache<Opened>(
  capacity: number,
  close: (opened: Opened) => Promise<void>,
): LruCache<Opened> {
  const entries = new Map<string, Opened>();
  return {
    async get(key, open) {
      const known = entries.get(key);
      entries.delete(key);
      const opened = known ?? (await open());
      entries.set(key, opened);
      const [oldest] = entries;
      if (entries.size > capacity && oldest) {
        entries.delete(oldest[0]);
        await close(oldest[1]);
      }
      return opened;
    },
    async clear() {
      const all = [...entries.values()];
      entries.clear();
      for (const opened of all) await close(opened);
    },
  };
}
