/** Prints on standard error what an import does and how long it still takes. */
import type { ImportProgress } from '../../contract/models/import-progress.ts';

/** Shortest time between two lines of the same step. */
const everyMs = 5000;

/** Returns a printer that skips lines that follow too closely. @param print default: standard error */
export function createImportPrinter(
  print: (line: string) => void = console.error,
  now: () => number = Date.now,
): (progress: ImportProgress) => void {
  let last: { step: string; line: string; ms: number } | undefined;
  return (progress) => {
    const line = importLine(progress);
    const { step } = progress;
    if (last?.line === line || (last?.step === step && now() - last.ms < everyMs)) return;
    last = { step, line, ms: now() };
    print(line);
  };
}

/** What an import does now, as a sentence. */
export function importLine({ step, runs, maxRuns, secondsLeft }: ImportProgress): string {
  if (step === 'waiting') return 'Waiting for its turn.';
  if (step === 'reading') return 'Reading the files.';
  if (runs === 0) return 'Trying it out on test pictures.';
  const most = maxRuns === undefined ? '' : ` of at most ${maxRuns}`;
  const left = secondsLeft === undefined ? '' : `, at most ${durationText(secondsLeft)} left`;
  return `Trying it out on test pictures: ${runs}${most}${left}.`;
}

const durationText = (seconds: number): string =>
  seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
