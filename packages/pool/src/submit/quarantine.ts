/**
 * Quarantine of failing helpers: after three failures a helper gets no jobs for a while. A good result clears
 * the count of lost jobs, never that of false results. Pure except for its memory.
 */
export type Fault = 'lost' | 'false';

export interface Quarantine {
  noteFault(
    helperId: string,
    fault: Fault,
    reason: string,
    nowMs: number,
  ): QuarantinePeriod | undefined;
  noteSuccess(helperId: string): void;
  /** Why the helper is quarantined now; undefined if it is not. */
  current(helperId: string, nowMs: number): QuarantinePeriod | undefined;
}

interface QuarantinePeriod {
  reason: string;
  untilMs: number;
}

const faultsToQuarantine = 3;
const quarantineMs: Record<Fault, number> = { lost: 2 * 60_000, false: 60 * 60_000 };

const sentence = (count: number, reason: string) =>
  `It is set aside after ${count} failures. The last one: ${reason}`;

export function createQuarantine(): Quarantine {
  const faults = new Map<string, Record<Fault, number>>();
  const aside = new Map<string, QuarantinePeriod>();
  return {
    noteFault(helperId, fault, reason, nowMs) {
      const counts = faults.get(helperId) ?? { lost: 0, false: 0 };
      counts[fault] += 1;
      faults.set(helperId, counts);
      const count = counts.lost + counts.false;
      if (count < faultsToQuarantine) return undefined;
      const kind = counts.false > 0 ? 'false' : 'lost';
      const until = { reason: sentence(count, reason), untilMs: nowMs + quarantineMs[kind] };
      aside.set(helperId, until);
      // Afterwards lost jobs count from zero; after false results one more failure is enough.
      faults.set(helperId, { lost: 0, false: counts.false > 0 ? faultsToQuarantine - 1 : 0 });
      return until;
    },
    noteSuccess(helperId) {
      const counts = faults.get(helperId);
      if (counts) counts.lost = 0;
    },
    current(helperId, nowMs) {
      const until = aside.get(helperId);
      return until && until.untilMs > nowMs ? until : undefined;
    },
  };
}
