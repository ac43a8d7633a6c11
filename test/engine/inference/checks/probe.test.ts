/** Devices that lie, die, hang or run out of memory while they are checked, each in a process of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { probe } from '../../../../electron/engine/inference/checks/probe.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A check by a program that does `what` when it is asked. */
async function checkedBy(what: string, limitMs = 20_000) {
  const folder = temporaryFolder();
  const program = join(folder, 'device.mjs');
  writeFileSync(program, `process.once('message', (request) => { ${what} });`);
  const network = nearestNetwork(folder);
  return probe(program, { network, precision: 'fp32', provider: 'cuda' }, limitMs);
}

it('takes what a device answers that works', async () => {
  const outcome = { ok: true, tilePx: 512, megapixelsPerSecond: 3 };
  expect(await checkedBy(`process.send(${JSON.stringify(outcome)})`)).toEqual(outcome);
});

it.each([
  ['dies', `process.kill(process.pid, 'SIGKILL')`, /ended the process \(SIGKILL\)/],
  ['ends by itself', 'process.exit(3)', /ended the process \(exit code 3\)/],
  ['throws', `throw new Error('device lost')`, /ended the process \(exit code 1\)/],
  ['answers something else', `process.send('fine')`, /gave no answer/],
])('leaves a device that %s, and says so', async (_, what, reason) => {
  const outcome = await checkedBy(what);
  expect(outcome).toMatchObject({ ok: false, reason: expect.stringMatching(reason) as unknown });
});

it('ends a device that hangs', async () => {
  const outcome = await checkedBy('for (;;);', 1500);
  expect(outcome).toEqual({
    ok: false,
    reason: 'Its check took longer than 1.5 s.',
    timedOut: true,
  });
});

it('leaves a device for which there is no program', async () => {
  const folder = temporaryFolder();
  const network = nearestNetwork(folder);
  const request = { network, precision: 'fp32', provider: 'cuda' } as const;
  expect(await probe(join(folder, 'nothing.mjs'), request)).toMatchObject({ ok: false });
});
