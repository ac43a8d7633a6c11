import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  defaultThreads,
  processorHere,
} from '../../../../electron/engine/inference/measuring/processor.ts';
import { openSession } from '../../../../electron/engine/inference/sessions/session.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const countThreads = () => readdirSync('/proc/self/task').length;

/** Opens a session, whose first run loads its network, and returns how many threads came with it. */
async function threadsAdded(threads?: number): Promise<number> {
  const before = countThreads();
  const session = await openSession(nearestNetwork(temporaryFolder()), 'fp32', 'cpu', threads);
  const side = 8;
  await session.run(new Float32Array(3 * side ** 2), side, side);
  const added = countThreads() - before;
  await session.close();
  return added;
}

it.skipIf(process.platform !== 'linux')(
  'a session has the threads that it is given, and otherwise those of the processor',
  async () => {
    await threadsAdded(2);
    // The thread that calls the session is one of its threads.
    expect(await threadsAdded(1)).toBe(0);
    expect(await threadsAdded(5)).toBe(4);
    expect(await threadsAdded()).toBe(defaultThreads(processorHere()) - 1);
  },
);
