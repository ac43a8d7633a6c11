/** What the command says of a picture when it is done. */
import { expect, it } from 'vitest';
import { sentenceOf } from '../../electron/cli/report.ts';
import type { Outcome } from '../../electron/cli/picture-way.ts';
import type { Grade, TaskRecord } from '../../electron/contract/task.ts';

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

it('a line tells which cut-outs a person should look at, and of good ones nothing', () => {
  for (const line of [done(), done('good')]) expect(line).toMatch(/\(400 x 300, [^;]*\)$/);
  expect(done('look')).toMatch(/; look at it, the network was not sure$/);
  expect(done('poor')).toMatch(/; probably poor, look at it$/);
});
