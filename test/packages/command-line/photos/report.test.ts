/** What the command says of a picture when it is done. */
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { note } from '../../../../packages/contract/src/notes/notes.ts';
import { loadLanguage, setCatalogue } from '../../../../packages/command-line/src/text.ts';
import { createReport, sentenceOf } from '../../../../packages/command-line/src/photos/report.ts';
import type { Picture } from '../../../../packages/command-line/src/photos/inputs.ts';
import type { Outcome } from '../../../../packages/command-line/src/photos/process-picture.ts';
import type { FollowedProgress } from '../../../../packages/api-client/src/follow.ts';
import type { Grade, TaskRecord } from '../../../../packages/contract/src/task.ts';

function done(grade?: Grade): string {
  const record = {
    output: { format: 'png', width: 400, height: 300, bitDepth: 8, channels: 4, sizeBytes: 1 },
    timings: { totalMs: 1200 },
    ...(grade !== undefined && { grade }),
  } as TaskRecord;
  const outcome: Outcome = {
    status: 'finished',
    taskId: 'a',
    output: '/photos/vase-cutout.png',
    record,
  };
  return sentenceOf({ shown: 'vase.jpg' }, outcome);
}

it('a line names a result as it names the photo: by the shorter of its paths', () => {
  const record = { timings: { totalMs: 1 } } as TaskRecord;
  const shown = (output: string) =>
    sentenceOf({ shown: 'vase.jpg' }, { status: 'finished', output, record } as Outcome);
  expect(shown(path.resolve('out/vase.png'))).toContain(`-> ${path.join('out', 'vase.png')}`);
  const elsewhere = path.resolve('/vase.png');
  expect(shown(elsewhere)).toContain(`-> ${elsewhere}`);
});

it('a line tells which cut-outs a person should look at, and of good ones nothing', () => {
  for (const line of [done(), done('good')]) expect(line).toMatch(/\(400 x 300, [^;]*\)$/);
  expect(done('look')).toMatch(/; look at it, the network was not sure$/);
  expect(done('poor')).toMatch(/; probably poor, look at it$/);
});

it('notes are in the language of the terminal, also where they are counted', async () => {
  await loadLanguage('de-AT');
  onTestFinished(() => setCatalogue('en', {}));
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const report = createReport({ json: false, total: 2, pictures: [] });
  for (const factor of ['1.6', '2.4']) {
    const notes = [note('TRANSPARENCY_FILLED'), note('SUBJECT_STRETCHED', { factor }), 'Other.'];
    report.ended(
      { file: '/a.jpg', shown: 'a.jpg', sizeBytes: 1 } as Picture,
      { status: 'finished', output: '/b.jpg', record: { timings: {}, notes } } as Outcome,
    );
  }
  report.close();
  const lines = log.mock.calls.map(([line]) => line as string);
  log.mockRestore();
  const flattened = 'JPEG fasst keine Transparenz; hinter dem Bild steht Weiß.';
  expect(lines).toContain(`  ${flattened}`);
  expect(lines).toContain(`Bei 2 Bildern: ${flattened}`);
  expect(lines.filter((line) => /1,6-fach|1\.6 bis 2\.4-fach/.test(line))).toHaveLength(2);
  expect(lines).toContain('  Other.');
});

it('a line of JSON says which machine of a pool made it, and nothing where it was this one', () => {
  const lines = [undefined, { id: 'c'.repeat(16), name: 'garage' }].map((ranOn) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const record = { timings: {}, ...(ranOn && { ranOn }) } as TaskRecord;
    createReport({ json: true, total: 1, pictures: [] }).ended(
      { file: '/photos/a.jpg', shown: 'a.jpg', sizeBytes: 1 } as Picture,
      { status: 'finished', taskId: 'a', output: '/photos/a-2x.jpg', record },
    );
    const [line = ''] = log.mock.calls[0] as string[];
    log.mockRestore();
    return JSON.parse(line) as object;
  });
  expect(lines[0]).not.toHaveProperty('ranOn');
  expect(lines[1]).toMatchObject({ ranOn: { name: 'garage' } });
});

it('JSON has a line for each picture that an interruption stopped or left waiting', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const pictures = ['a', 'b', 'c'].map((name) => ({ file: `/photos/${name}.jpg` }) as Picture);
  const [first, second] = pictures as [Picture, Picture];
  const report = createReport({ json: true, total: 3, pictures });
  const running: FollowedProgress = { status: 'PROCESSING', progress: 1 };
  report.progress(first, 1, running);
  report.progress(second, 1, running);
  report.ended(first, { status: 'skipped', output: '/photos/a-2x.jpg' });
  report.close();
  const lines = log.mock.calls.map(([line]) => JSON.parse(line as string) as object);
  log.mockRestore();
  const interrupted = { code: 'CANCELLED', message: 'Interrupted.' };
  expect(lines).toEqual([
    { file: '/photos/a.jpg', status: 'skipped', output: '/photos/a-2x.jpg' },
    { file: '/photos/b.jpg', status: 'stopped', ...interrupted },
    { file: '/photos/c.jpg', status: 'waiting', ...interrupted },
  ]);
});

it('the seconds are those of a picture itself, without its waits here or for another machine', () => {
  const timings = { queuedMs: 9000, decodeMs: 500, waitMs: 30_000, networkMs: 3000, encodeMs: 500 };
  const lineOf = (more: object) => {
    const record = { timings: { ...timings, totalMs: 34_200 }, ...more } as TaskRecord;
    const outcome = { status: 'finished', output: '/a-2x.jpg', record } as Outcome;
    return sentenceOf({ shown: 'a.jpg' }, outcome);
  };
  expect(lineOf({})).toMatch(/, 4 s\)$/);
  const waited = { timings: { ...timings, totalMs: 90_000 } };
  expect(lineOf({ ...waited, ranOn: { id: 'c'.repeat(16), name: 'garage' } })).toMatch(/, 4 s\)$/);
});
