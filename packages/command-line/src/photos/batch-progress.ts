/** Weighs the pictures of a batch by their work, as the page does, for the bar and the time left. */
import path from 'node:path';
import type { FollowedProgress } from '../../../api-client/src/follow.ts';
import {
  createCountdown,
  secondsLeft,
  shareDone,
  type PhotoProgress,
} from '../../../api-client/src/pace.ts';
import type { Estimate } from '../../../contract/src/task.ts';
import type { Picture } from './inputs.ts';
import type { Outcome } from './process-picture.ts';

export interface BatchProgress {
  readonly estimated: (picture: Picture, estimate: Estimate) => void;
  changed(picture: Picture, change: FollowedProgress): void;
  ended(picture: Picture, outcome: Outcome): void;
  /** Of the whole work, 0 to 1. */
  share(): number;
  /** Seconds until the batch has ended, which follow new predictions with a delay; undefined while nothing tells. */
  secondsLeft(nowMs?: number): number | undefined;
}

export function createBatchProgress(pictures: readonly Picture[]): BatchProgress {
  const states = new Map<Picture, PhotoProgress>(
    pictures.map((picture) => [picture, { phase: 'PENDING' }]),
  );
  const countdown = createCountdown();
  const of = (...phases: string[]) =>
    [...withGuesses(states).values()].filter(({ phase }) => phases.includes(phase));
  return {
    estimated(picture, estimate) {
      const state = states.get(picture);
      if (state !== undefined && estimate.problem === undefined)
        states.set(picture, { ...state, estimate });
    },
    changed(picture, { status, progress = 0, etaSeconds, record }) {
      const state = states.get(picture);
      if (state === undefined || isEnded(state)) return;
      const known = record ?? state.record;
      states.set(picture, {
        ...state,
        phase: status === 'PROCESSING' ? status : 'PENDING',
        progress,
        etaSeconds,
        ...(known && { record: known }),
      });
    },
    ended(picture, outcome) {
      const state = states.get(picture);
      if (outcome.status === 'skipped') states.delete(picture);
      else if (outcome.status === 'finished')
        states.set(picture, { ...state, phase: 'FINISHED', record: outcome.record });
      else states.set(picture, { ...state, phase: 'FAILED' });
    },
    share: () => shareDone(of('PENDING', 'PROCESSING'), of('FINISHED')),
    secondsLeft(nowMs = Date.now()) {
      const active = of('PENDING', 'PROCESSING');
      const predicted =
        active.length > 0 ? secondsLeft(active, of('FINISHED', 'FAILED')) : undefined;
      return countdown(predicted, nowMs, states.size);
    },
  };
}

const isEnded = ({ phase }: PhotoProgress) => phase === 'FINISHED' || phase === 'FAILED';

const forecastOf = ({ record, estimate }: PhotoProgress) => record?.estimate ?? estimate;

/** A picture without an estimate, as one that is sent only later, counts by its bytes as others of its ending. */
function withGuesses(
  states: ReadonlyMap<Picture, PhotoProgress>,
): ReadonlyMap<Picture, PhotoProgress> {
  const known = [...states].filter(([, state]) => forecastOf(state) !== undefined);
  if (known.length === 0 || known.length === states.size) return states;
  const byEnding = Map.groupBy(known, ([picture]) => endingOf(picture));
  return new Map(
    [...states].map(([picture, state]) => {
      if (forecastOf(state) !== undefined) return [picture, state];
      const like = byEnding.get(endingOf(picture)) ?? known;
      return [picture, { ...state, estimate: scaledBy(picture.sizeBytes, like) }];
    }),
  );
}

const endingOf = ({ file }: Picture) => path.extname(file).toLowerCase();

/** Scales the seconds and pixels of known pictures to a number of bytes. */
function scaledBy(sizeBytes: number, known: readonly [Picture, PhotoProgress][]) {
  const sum = (valueOf: (picture: Picture, state: PhotoProgress) => number) =>
    known.reduce((total, one) => total + valueOf(...one), 0);
  const factor =
    sizeBytes /
    Math.max(
      1,
      sum((picture) => picture.sizeBytes),
    );
  const areTimed = known.every(([, state]) => forecastOf(state)?.seconds !== undefined);
  const pixels = sum((_, state) => {
    const { width = 0, height = 0 } = forecastOf(state) ?? {};
    return width * height;
  });
  const seconds = factor * sum((_, state) => forecastOf(state)?.seconds ?? 0);
  return { width: factor * pixels, height: 1, ...(areTimed && { seconds }) };
}
