/** Runs `work` for each item in order, at most `width` of them at a time. Ends when all have ended. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
