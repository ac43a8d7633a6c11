/** Items that come in one turn of the event loop are worked on as one batch: one sync to disk serves all of them. */

interface Waiting<In, Out> {
  item: In;
  resolve: (outcome: Out) => void;
  reject: (reason: unknown) => void;
}

/**
 * @param work gives an outcome for each item, in order; an Error refuses that item. What it throws
 *   refuses all of them.
 */
export function createMicroBatch<In, Out>(
  work: (items: In[]) => (Out | Error)[],
): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = [];
  const run = () => {
    const batch = waiting;
    waiting = [];
    try {
      const outcomes = work(batch.map(({ item }) => item));
      for (const [index, outcome] of outcomes.entries()) settle(batch[index], outcome);
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setImmediate(run);
    });
}

function settle<In, Out>(waiting: Waiting<In, Out> | undefined, outcome: Out | Error): void {
  if (outcome instanceof Error) waiting?.reject(outcome);
  else waiting?.resolve(outcome);
}
