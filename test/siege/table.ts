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

/** A row, and beneath it its failures, as long as it is not known what else will run. */
export function printWithFailures(row: Row, log: PrintLine = console.log): void {
  printRow(row, log);
  for (const failure of row.failures.slice(0, maxPrinted)) log(`FAILED ${row.attack}: ${failure}`);
  const more = row.failures.length - maxPrinted;
  if (more > 0) log(`FAILED ${row.attack}: and ${more} more`);
}

const maxPrinted = 10;

export function printTable(rows: readonly Row[], log: PrintLine = console.log): void {
  printHead(log);
  for (const row of rows) printWithFailures(row, log);
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
