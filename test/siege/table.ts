/** What the siege tried: attempts and failures of each attack, with the outcome that was stated before. */

export interface Row {
  attack: string;
  /** What must be so. */
  outcome: string;
  attempts: number;
  /** A sentence each. */
  failures: string[];
  /** Figures, for people. */
  figures?: string;
}

export function printTable(rows: readonly Row[], log: (line: string) => void = console.log): void {
  log('| attack | stated outcome | attempts | failures | figures |');
  log('|---|---|---:|---:|---|');
  for (const { attack, outcome, attempts, failures, figures = '' } of rows)
    log(`| ${attack} | ${outcome} | ${attempts} | ${failures.length} | ${figures} |`);
  for (const { attack, failures } of rows)
    for (const failure of failures.slice(0, 5)) log(`FAILED ${attack}: ${failure}`);
}

export const failuresOf = (rows: readonly Row[]): number =>
  rows.reduce((sum, { failures }) => sum + failures.length, 0);

/** Counts an attempt, and what it throws as a failure. */
export async function attempt(row: Row, what: string, work: () => Promise<void>): Promise<void> {
  row.attempts += 1;
  try {
    await work();
  } catch (thrown) {
    row.failures.push(`${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

export function expectThat(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
}
