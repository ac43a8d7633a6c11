/** Finds how many threads a network on the CPU is worth on this machine. */
import type { Session } from '../sessions/session.ts';
import { medianOf, timeInTurns } from './turns.ts';

/** Twice the threads must be this many times as fast: a smaller gain is not worth its energy. */
const minGainOfTwice = 1.1;

/** Decides whether more threads are worth it. The gain that is asked for grows with their ratio. */
export function isWorthMore(
  fewer: { threads: number; ms: number },
  more: { threads: number; ms: number },
): boolean {
  const doublings = Math.log2(more.threads / fewer.threads);
  return fewer.ms / more.ms >= minGainOfTwice ** doublings;
}

const turns = 5;
/** The time for comparing two counts; the turns end with it. */
const budgetMs = 3000;

/**
 * Compares the counts pairwise in turns, from the fewest on. At most two sessions are open at a time, so that
 * a large network fits.
 *
 * @param candidates counts in ascending order, at least one
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
    const pair = [best, next];
    const times = await timeInTurns(
      pair.map(
        ({ session }) =>
          () =>
            run(session),
      ),
      turns,
      performance.now() + budgetMs,
    );
    const [fewerMs = Infinity, moreMs = Infinity] = times.map(medianOf);
    const isBetter = isWorthMore({ threads: best.threads, ms: fewerMs }, { threads, ms: moreMs });
    await (isBetter ? best : next).session.close();
    if (isBetter) best = next;
  }
  return best;
}
