/** Prints what the command does: a bar on a terminal, lines elsewhere, and JSON lines for programs. */
import { SingleBar } from 'cli-progress';
import path from 'node:path';
import type { FollowedProgress } from '../../../api-client/src/follow.ts';
import type { Estimate, Grade, TaskRecord } from '../../../contract/src/task.ts';
import { createBatchProgress } from './batch-progress.ts';
import { shownPath, type Picture } from './inputs.ts';
import type { Outcome } from './process-picture.ts';
import { printable } from '../printable.ts';
import { messageOf } from '../error-message.ts';
import { noteText, t, tn } from '../text.ts';

export interface Report {
  progress(picture: Picture, percent: number, change: FollowedProgress): void;
  /** Is absent where no time left is shown. */
  estimated?(picture: Picture, estimate: Estimate): void;
  ended(picture: Picture, outcome: Outcome): void;
  missing(shown: string, message: string): void;
  /** Stops the bar and names on standard error what failed. */
  close(): void;
}

interface ReportOptions {
  json: boolean;
  total: number;
  pictures: readonly Picture[];
  /** Standard output is the result itself, so lines are written on standard error. */
  isOutputTaken?: boolean;
}

export function createReport(options: ReportOptions): Report {
  if (options.json) return jsonReport(options);
  return process.stderr.isTTY ? barReport(options) : lineReport(options);
}

function jsonReport({ pictures }: ReportOptions): Report {
  const print = (line: object) => console.log(JSON.stringify(line));
  const open = new Map<Picture, 'waiting' | 'stopped'>(
    pictures.map((picture) => [picture, 'waiting']),
  );
  return {
    progress(picture, _percent, { status }) {
      if (status === 'PROCESSING') open.set(picture, 'stopped');
    },
    ended(picture, outcome) {
      open.delete(picture);
      print(describe(picture, outcome));
    },
    missing: (file, message) => print({ file, status: 'failed', code: 'NOT_FOUND', message }),
    close() {
      // Only an interruption leaves pictures without an end.
      for (const [{ file }, status] of open)
        print({ file, status, code: 'CANCELLED', message: t('Interrupted.') });
    },
  };
}

function describe({ file }: Picture, outcome: Outcome): object {
  if (outcome.status !== 'finished') return { file, ...outcome };
  const { record, ...rest } = outcome;
  const seconds = Math.round(workMs(record)) / 1000;
  const { width, height } = record.output ?? {};
  const { model, measured, changed, grade, ranOn, notes, noteCodes } = record;
  const device = record.device?.provider;
  return {
    ...{ file, ...rest, width, height, seconds, model, device, ranOn },
    ...{ measured, changed, grade, notes, noteCodes },
  };
}

/** A picture's own time in milliseconds, without its wait for another one to leave the network. */
function workMs({ timings, ranOn }: Pick<TaskRecord, 'timings' | 'ranOn'>): number {
  const { totalMs = 0, waitMs = 0 } = timings;
  if (!ranOn) return Math.max(0, totalMs - waitMs);
  // The total of a picture that another machine made has its wait for that machine in it.
  const steps = Object.entries(timings).filter(([name]) => !notSteps.has(name));
  return steps.reduce((sum, [, ms]) => sum + ms, 0);
}

const notSteps: ReadonlySet<string> = new Set(['queuedMs', 'waitMs', 'totalMs']);

const numbers = /\d+(?:\.\d+)?/g;

/** Notes differ in their numbers only where they say the same of several pictures. */
const kindOf = (note: string) => note.replaceAll(numbers, '#');

/** One note for several of a kind: numbers that differ become their range. */
function mergeNotes(notes: readonly string[]): string {
  const columns = notes.map((note) => note.match(numbers) ?? []);
  let column = 0;
  return (notes[0] ?? '').replaceAll(numbers, () => {
    const sorted = columns
      .map((found) => found[column] ?? '')
      .toSorted((a, b) => Number(a) - Number(b));
    column += 1;
    const [min = '', max = ''] = [sorted[0], sorted.at(-1)];
    return min === max ? min : t('{min} to {max}', { min, max });
  });
}

/** Collects the notes of results: each kind at its first picture, and its count at the end. */
function createNotes() {
  const kinds = new Map<string, string[]>();
  return {
    /** Returns the notes of kinds that did not come before. */
    firstOf(outcome: Outcome): string[] {
      const notes = outcome.status === 'finished' ? outcome.record.notes : [];
      return notes.filter((note) => {
        const known = kinds.get(kindOf(note));
        if (known === undefined) kinds.set(kindOf(note), [note]);
        else known.push(note);
        return known === undefined;
      });
    },
    repeated: () =>
      [...kinds.values()]
        .filter(({ length }) => length > 1)
        .map((notes) =>
          tn(notes.length, 'Of {count} picture: {note}', 'Of {count} pictures: {note}', {
            note: noteText(mergeNotes(notes)),
          }),
        ),
  };
}

/** Counts how each picture of a batch ended. */
function createTally(total: number) {
  const counts = { done: 0, skipped: 0, failed: 0 };
  const running = new Set<Picture>();
  const failures: string[] = [];
  const startedAt = Date.now();
  return {
    ended: () => counts.done + counts.skipped + counts.failed,
    running: (picture: Picture, { status }: FollowedProgress) =>
      status === 'PROCESSING' ? running.add(picture) : undefined,
    add(picture: Picture, outcome: Outcome) {
      running.delete(picture);
      counts[outcome.status === 'finished' ? 'done' : outcome.status] += 1;
      if (outcome.status === 'failed') failures.push(failureOf(picture.shown, outcome.message));
    },
    addMissing(shown: string, message: string) {
      counts.failed += 1;
      failures.push(failureOf(shown, message));
    },
    failures,
    summary: () => summaryOf({ ...counts, stopped: running.size, total }, Date.now() - startedAt),
  };
}

function lineReport({ total, pictures, isOutputTaken = false }: ReportOptions): Report {
  const tally = createTally(total);
  const notes = createNotes();
  const quietMs = 10_000;
  let saidAt = Date.now();
  const say = (line: string) => {
    saidAt = Date.now();
    if (isOutputTaken) console.error(printable(line));
    else console.log(printable(line));
  };
  const progress = createBatchProgress(pictures);
  return {
    estimated: progress.estimated,
    progress(picture, percent, change) {
      progress.changed(picture, change);
      tally.running(picture, change);
      if (Date.now() - saidAt <= quietMs) return;
      const left = leftOf(progress.secondsLeft());
      say(`${picture.shown}: ${percent} %${left === '' ? '' : `; ${left}`}`);
    },
    ended(picture, outcome) {
      progress.ended(picture, outcome);
      tally.add(picture, outcome);
      say(`[${tally.ended()}/${total}] ${sentenceOf(picture, outcome)}`);
      for (const note of notes.firstOf(outcome)) say(`  ${noteText(note)}`);
    },
    missing(shown, message) {
      tally.addMissing(shown, message);
      say(`[${tally.ended()}/${total}] ${t('{photo}: failed', { photo: shown })}`);
    },
    close() {
      for (const line of notes.repeated()) say(line);
      if (total > 1 || tally.ended() < total) say(tally.summary());
      printFailures(tally.failures);
    },
  };
}

function barReport({ total, pictures }: ReportOptions): Report {
  const tally = createTally(total);
  const notes = createNotes();
  const firstNotes: string[] = [];
  const progress = createBatchProgress(pictures);
  let drawnAt = 0;
  const bar = new SingleBar({
    format: '{bar} {percentage} %  {ended}/{total_}  {eta_}  {name}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
    gracefulExit: false,
    stream: process.stderr,
  });
  bar.start(1000, 0, { ended: 0, total_: total, eta_: '', name: '' });
  const draw = (picture: Picture) => {
    drawnAt = Date.now();
    bar.update(Math.round(1000 * progress.share()), {
      ended: tally.ended(),
      eta_: leftOf(progress.secondsLeft()),
      name: printable(path.basename(picture.shown)),
    });
  };
  return {
    estimated: progress.estimated,
    progress(picture, _percent, change) {
      progress.changed(picture, change);
      tally.running(picture, change);
      if (Date.now() - drawnAt > drawnEveryMs) draw(picture);
    },
    ended(picture, outcome) {
      tally.add(picture, outcome);
      firstNotes.push(
        ...notes.firstOf(outcome).map((note) => `${picture.shown}: ${noteText(note)}`),
      );
      progress.ended(picture, outcome);
      draw(picture);
    },
    missing: (shown, message) => tally.addMissing(shown, message),
    close() {
      bar.stop();
      for (const line of [...firstNotes, ...notes.repeated()]) console.error(line);
      console.error(tally.summary());
      printFailures(tally.failures);
    },
  };
}

/** Every drawing weighs the whole batch anew. */
const drawnEveryMs = 250;

/** The time left in words; empty while it is not known. */
const leftOf = (seconds: number | undefined): string =>
  seconds === undefined ? '' : t('{time} left', { time: durationOf(1000 * seconds) });

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Words the outcome of one picture in a line. */
export function sentenceOf(picture: Pick<Picture, 'shown'>, outcome: Outcome): string {
  if (outcome.status === 'failed') return t('{photo}: failed', { photo: picture.shown });
  const output = shownPath(outcome.output);
  if (outcome.status === 'skipped')
    return t('{photo}: skipped, {result} is there', { photo: picture.shown, result: output });
  const { output: size, grade } = outcome.record;
  const frames =
    size?.frames === undefined ? '' : `, ${tn(size.frames, '{count} frame', '{count} frames')}`;
  const facts = size === undefined ? '' : ` (${size.width} x ${size.height}${frames}`;
  return `${picture.shown} -> ${output}${facts}, ${durationOf(workMs(outcome.record))})${wordsOfGrade(grade)}`;
}

/** Words a cut-out's grade: empty for a good one, and for a result that is no cut-out. */
function wordsOfGrade(grade: Grade | undefined): string {
  if (grade === 'look') return `; ${t('look at it, the network was not sure')}`;
  return grade === 'poor' ? `; ${t('probably poor, look at it')}` : '';
}

interface Counts {
  done: number;
  skipped: number;
  failed: number;
  /** Pictures at which the interrupted batch was. */
  stopped: number;
  total: number;
}

/** Counts that sum to the batch's pictures; after an interruption with how to go on. */
function summaryOf({ total, ...counts }: Counts, elapsedMs: number): string {
  const { done, skipped, failed, stopped } = counts;
  const left = total - done - skipped - failed;
  const parts = [
    [done, tn(done, '{count} done', '{count} done')],
    [skipped, tn(skipped, '{count} skipped', '{count} skipped')],
    [failed, tn(failed, '{count} failed', '{count} failed')],
    [stopped, tn(stopped, '{count} stopped', '{count} stopped')],
    [left - stopped, tn(left - stopped, '{count} not begun', '{count} not begun')],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([, words]) => words);
  const all = tn(total, '{count} picture in {time}', '{count} pictures in {time}', {
    time: durationOf(elapsedMs),
  });
  const detail = done === total || total === 0 ? '' : `: ${named.join(', ')}`;
  const next = left === 0 ? '' : ` ${t('The same command goes on with them.')}`;
  return `${all}${detail}.${next}`;
}

function failureOf(shown: string, message: string): string {
  return printable(`${shown}: ${message}`);
}

function printFailures(failures: string[]): void {
  for (const failure of failures) console.error(failure);
}

/** Works on one after the other and returns the exit code. A failure is printed, and the rest goes on. */
export async function eachOf<T>(
  all: readonly T[],
  nameOf: (one: T) => string,
  work: (one: T) => Promise<unknown>,
): Promise<number> {
  let failures = 0;
  for (const one of all)
    await work(one).catch((error: unknown) => {
      failures += 1;
      console.error(failureOf(nameOf(one), messageOf(error)));
    });
  return failures === 0 ? 0 : 1;
}
