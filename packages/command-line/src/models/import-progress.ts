/** Prints on standard error what an import does and how long it still takes. */
import type { ImportProgress } from '../../../contract/src/models/import-progress.ts';
import { t } from '../text.ts';

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
  if (step === 'waiting') return t('Waiting for its turn.');
  if (step === 'reading') return t('Reading the files.');
  if (runs === 0) return t('Trying it out on test pictures.');
  const done =
    maxRuns === undefined
      ? String(runs)
      : t('{done} of at most {count}', { done: runs, count: maxRuns });
  return secondsLeft === undefined
    ? t('Trying it out on test pictures: {done}.', { done })
    : t('Trying it out on test pictures: {done}, at most {time} left.', {
        done,
        time: durationText(secondsLeft),
      });
}

const durationText = (seconds: number): string =>
  seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
