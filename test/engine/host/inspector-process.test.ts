/** A file that makes the process that looks at it hang or die harms no job. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestEngine, jobIn, type TestEngine } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** An engine whose jobs take a while, and that hangs or dies when it looks at files of such names. */
const program = `
  const send = (message) => process.send(message);
  process.on('message', ({ request: call }) => {
    const { id, kind, request: { path } } = call;
    if (kind === 'run') return setTimeout(send, 4000, { kind: 'reply', reply: { id, response: { pid: process.pid } } });
    if (path === 'hang') for (;;);
    if (path === 'die') process.kill(process.pid, 'SIGKILL');
    send({ kind: 'reply', reply: { id, response: { width: process.pid } } });
  });
  setInterval(send, 200, { kind: 'heartbeat' });
  send({ kind: 'ready' });
`;

const limits = { sourcePixels: 1e9, resultPixels: 1e9 };

function createScripted(): TestEngine {
  const folder = temporaryFolder();
  const enginePath = join(folder, 'engine.mjs');
  writeFileSync(enginePath, program);
  const engine = createTestEngine({ enginePath, limits: { heartbeatMs: 3000 } });
  onTestFinished(() => engine.close());
  return engine;
}

describe('looking at files', () => {
  it('harms no job and no other file, and blames the one that hung or died', async () => {
    const scripted = createScripted();
    const job = scripted.host.run(jobIn(scripted.dir, { sourcePath: 'photo', passes: [] }), {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    const looks = ['good', 'hang', 'good', 'die', 'good'].map((path) =>
      scripted.host.inspect(path, limits),
    );
    const ended = await Promise.allSettled(looks);
    expect(ended.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    await expect(looks[1]).rejects.toMatchObject({ reason: 'hang', blamed: true });
    await expect(looks[3]).rejects.toMatchObject({ reason: 'exit', blamed: true });
    expect(await job).toEqual({ pid: scripted.host.pid });
  });
});
