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

type PrintLine = (line: string) => void;

export function printHead(log: PrintLine = console.log): void {
  log('| attack | stated outcome | attempts | failures | figures |');
  log('|---|---|---:|---:|---|');
}

export function printRow(
  { attack, outcome, attempts, failures, figures = '' }: Row,
  log: PrintLine = console.log,
): void {
  log(`| ${attack} | ${outcome} | ${attempts} | ${failures.length} | ${figures} |`);
}

export function printTable(rows: readonly Row[], log: PrintLine = console.log): void {
  printHead(log);
  for (const row of rows) printRow(row, log);
  printFailures(rows, log);
}

export function printFailures(rows: readonly Row[], log: PrintLine = console.log): void {
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
