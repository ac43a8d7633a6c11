/** What people type and read: options that exclude each other, notes, the last line, and names with escapes. */
import { describe, expect, it } from 'vitest';
import { cutoutBody } from '../../../electron/cli/photos/photo-options.ts';
import { shownPath } from '../../../electron/cli/photos/inputs.ts';
import { createReport } from '../../../electron/cli/photos/report.ts';
import type { TaskRecord } from '../../../electron/contract/task.ts';
import { heard } from '../../support/heard.ts';

const picture = (shown: string) => ({ file: `/${shown}`, shown, folder: '', sizeBytes: 1 });
const finished = (notes: string[]) =>
  ({
    status: 'finished',
    taskId: 'a',
    output: '/a-2x.jpg',
    record: { timings: {}, notes } as unknown as TaskRecord,
  }) as const;

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
      'Of 2 pictures: Only the first of 5 pictures was enlarged.',
    ]);
  });

  it('tells programs the notes, too', () => {
    const { lines } = heard();
    createReport({ json: true, total: 1, pictures: [] }).ended(picture('a'), finished(['x']));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ notes: ['x'] });
  });

  it('ends with what is not done and how to go on', () => {
    const { lines } = heard();
    const report = createReport({ json: false, total: 3, pictures: [] });
    report.ended(picture('a'), finished([]));
    report.close();
    expect(lines.at(-1)).toMatch(/1 picture in .*, 2 not done. The same command goes on with them/);
  });
});

it('a name with an escape is shown with the escape written out', () => {
  expect(shownPath('/tmp/\u001b[31mred.jpg')).toContain('\\u{1b}[31mred.jpg');
});
