/** Finds how many threads are worthwhile for a network on this CPU. */
import type { Session } from '../sessions/session.ts';
import { medianOf, timeAlternately } from './turns.ts';

/** Minimum gain of twice the threads; less is not worth its energy. */
const minGainPerDoubling = 1.1;

/** Whether more threads are worthwhile. The required gain grows with their ratio. */
export function isWorthMore(
  fewer: { threads: number; ms: number },
  more: { threads: number; ms: number },
): boolean {
  const doublings = Math.log2(more.threads / fewer.threads);
  return fewer.ms / more.ms >= minGainPerDoubling ** doublings;
}

const rounds = 5;
/** Time for comparing two counts. */
const budgetMs = 3000;

/**
 * Compares the counts pairwise and alternately, from the fewest on; more are given up where they lose twice. At most two
 * sessions are open at a time, so that a large network fits.
 *
 * @param candidates ascending, at least one
 * @returns the best count and its session, which the caller closes
 */
export async function measureThreads(
  candidates: readonly number[],
  open: (threads: number) => Promise<Session>,
  run: (session: Session) => Promise<unknown>,
): Promise<{ threads: number; session: Session }> {
  const [fewest = 1, ...others] = candidates;
  let best = { threads: fewest, session: await open(fewest) };
  for (const threads of others) {
    const next = { threads, session: await open(threads) };
    const fewer = best;
    const gains = async () => {
      const times = await timeAlternately(
        [fewer, next].map(
          ({ session }) =>
            () =>
              run(session),
        ),
        rounds,
        performance.now() + budgetMs,
      );
      const [fewerMs = Infinity, moreMs = Infinity] = times.map(medianOf);
      return isWorthMore({ threads: fewer.threads, ms: fewerMs }, { threads, ms: moreMs });
    };
    // What takes a core for some seconds makes more threads look worthless, and the answer is kept for long.
    const isBetter = (await gains()) || (await gains());
    await (isBetter ? fewer : next).session.close();
    if (isBetter) best = next;
  }
  return best;
}
