/** Counts the runs of a trial and predicts the time of those that remain. */
import type { OnImportProgress } from '../../../../packages/contract/src/models/import-progress.ts';
import type { TrialSession } from '../../inference/sessions/trial-session.ts';

export interface TrialProgress {
  /** Returns a session whose runs are counted. */
  counted(session: TrialSession): TrialSession;
  /** Sets how many runs may follow at most. */
  expect(runs: number): void;
  /** Counts a run. */
  onRun(): void;
}

export function createTrialProgress(onProgress: OnImportProgress): TrialProgress {
  let runs = 0;
  let maxRuns: number | undefined;
  const startMs = performance.now();
  const emit = () => {
    const left = maxRuns === undefined ? undefined : Math.max(0, maxRuns - runs);
    const secondsPerRun = (performance.now() - startMs) / 1000 / Math.max(1, runs);
    onProgress({
      step: 'trying',
      runs,
      ...(maxRuns !== undefined && { maxRuns }),
      ...(left !== undefined && runs > 0 && { secondsLeft: Math.round(left * secondsPerRun) }),
    });
  };
  const onRun = () => {
    runs += 1;
    emit();
  };
  emit();
  return {
    onRun,
    counted: (session) => ({
      async run(shape, values) {
        const outputs = await session.run(shape, values);
        onRun();
        return outputs;
      },
      close: () => session.close(),
    }),
    expect(following) {
      maxRuns = runs + following;
    },
  };
}
