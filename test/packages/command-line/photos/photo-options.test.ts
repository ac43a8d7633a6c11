/** What people type and read: options that exclude each other, notes, the last line, and names with escapes. */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  cutoutBody,
  upscaleOptions,
} from '../../../../packages/command-line/src/photos/photo-options.ts';
import { shownPath } from '../../../../packages/command-line/src/photos/inputs.ts';
import { createReport } from '../../../../packages/command-line/src/photos/report.ts';
import type { TaskRecord } from '../../../../packages/contract/src/task.ts';
import { heard } from '../../../support/heard.ts';

const picture = (shown: string) => ({ file: `/${shown}`, shown, folder: '', sizeBytes: 1 });
const finished = (notes: string[]) =>
  ({
    status: 'finished',
    taskId: 'a',
    output: '/a-2x.jpg',
    record: { timings: {}, notes } as unknown as TaskRecord,
  }) as const;

it('names in --help the kernel for which --keep faithful holds', () => {
  const help = upscaleOptions(new Command()).helpInformation().replaceAll(/\s+/g, ' ');
  expect(help).toContain('faithful: reduced with the cubic kernel, the result equals the photo');
});

describe('a cut-out', () => {
  it('as JPEG is proposed a background', () => {
    expect(() => cutoutBody({ format: 'jpeg' })).toThrow('--background white');
    expect(cutoutBody({ format: 'jpeg', background: 'white' })).toMatchObject({ format: 'jpeg' });
  });

  it('has a position on a canvas only', () => {
    const position = { x: 50, y: 100 };
    expect(() => cutoutBody({ position })).toThrow('--canvas');
    const canvas = { width: 10, height: 10 };
    expect(cutoutBody({ position, canvas })).toEqual({ position, canvas });
  });
});

describe('the report of a batch', () => {
  it('says what a format lost once a kind, with a count at the end', () => {
    const { lines } = heard();
    const report = createReport({ json: false, total: 2, pictures: [] });
    report.ended(picture('a.tif'), finished(['Only the first of 3 pictures was enlarged.']));
    report.ended(picture('b.tif'), finished(['Only the first of 5 pictures was enlarged.']));
    report.close();
    expect(lines.filter((line) => line.includes('Only the first'))).toEqual([
      '  Only the first of 3 pictures was enlarged.',
      'Of 2 pictures: Only the first of 3 to 5 pictures was enlarged.',
    ]);
  });

  it('says the range of what differs, as numbers, and what is the same once', () => {
    const { lines } = heard();
    const report = createReport({ json: false, total: 3, pictures: [] });
    for (const factor of ['9.5', '10.0', '2.6'])
      report.ended(picture('a'), finished([`Stretched ${factor} times for 400 pixels.`]));
    report.close();
    expect(lines).toContain('Of 3 pictures: Stretched 2.6 to 10.0 times for 400 pixels.');
  });

  it('tells programs the notes, too, with the networks that ran and rounded seconds', () => {
    const { lines } = heard();
    const outcome = finished(['x']);
    const record = {
      ...outcome.record,
      model: 'natural-x2',
      timings: { totalMs: 1067.541956 },
    };
    createReport({ json: true, total: 1, pictures: [] }).ended(picture('a'), {
      ...outcome,
      record,
    });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      ...{ notes: ['x'], model: 'natural-x2', seconds: 1.068 },
    });
  });

  it('ends after an interruption with counts that sum to its pictures, and how to go on', () => {
    const { lines } = heard();
    const pictures = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(picture);
    const report = createReport({ json: false, total: 8, pictures });
    const [a, b, c, d, e] = pictures;
    for (const [one, status] of [
      [a, 'PROCESSING'],
      [d, 'PROCESSING'],
      [e, 'PENDING'],
    ] as const)
      if (one) report.progress(one, 0, { status, progress: 0 });
    if (a) report.ended(a, finished([]));
    if (b) report.ended(b, { status: 'skipped', output: '/b-2x.jpg' });
    if (c) report.ended(c, { status: 'failed', code: 'NO_SUBJECT', message: 'None.' });
    report.missing('h', 'There is no such file.');
    report.close();
    const summary = lines.find((line) => line.startsWith('8 pictures'));
    expect(summary).toMatch(
      /^8 pictures in \d+ s: 1 done, 1 skipped, 2 failed, 1 stopped, 3 not begun\. The same command goes on with them\.$/,
    );
  });

  it('ends with the time alone where all are done', () => {
    const { lines } = heard();
    const report = createReport({ json: false, total: 2, pictures: [] });
    report.ended(picture('a'), finished([]));
    report.ended(picture('b'), finished([]));
    report.close();
    expect(lines.at(-1)).toMatch(/^2 pictures in \d+ s\.$/);
  });
});

it('a name with an escape is shown with the escape written out', () => {
  expect(shownPath('/tmp/\u001b[31mred.jpg')).toContain('\\u{1b}[31mred.jpg');
});
