/** Batches items that arrive in one turn of the event loop, so that they share one sync to disk. */

interface QueuedItem<In, Out> {
  item: In;
  resolve: (outcome: Out) => void;
  reject: (reason: unknown) => void;
}

/** @param work returns an outcome per item, in order; an Error rejects that item, an exception rejects all */
export function createMicroBatch<In, Out>(
  work: (items: In[]) => (Out | Error)[],
): (item: In) => Promise<Out> {
  let waiting: QueuedItem<In, Out>[] = [];
  const run = () => {
    const batch = waiting;
    waiting = [];
    try {
      const outcomes = work(batch.map(({ item }) => item));
      for (const [index, outcome] of outcomes.entries()) settleItem(batch[index], outcome);
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setImmediate(run);
    });
}

function settleItem<In, Out>(waiting: QueuedItem<In, Out> | undefined, outcome: Out | Error): void {
  if (outcome instanceof Error) waiting?.reject(outcome);
  else waiting?.resolve(outcome);
}
