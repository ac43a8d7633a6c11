import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { showPresence, untilAlone } from '../../../packages/command-line/src/presence.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dataDir = temporaryFolder();

async function signOf(pid: number): Promise<void> {
  await mkdir(path.join(dataDir, 'commands'), { recursive: true });
  await writeFile(path.join(dataDir, 'commands', String(pid)), '');
}

it('is alone with its own sign and with that of a command which was killed', async () => {
  const dead = spawn(process.execPath, ['--version']);
  await once(dead, 'exit');
  await signOf(dead.pid!);
  const leave = await showPresence(dataDir);
  await untilAlone(dataDir, new AbortController().signal);
  await leave();
});

it('waits for a command of another user, which may not be signalled', async () => {
  const isThere = { now: true };
  // The sign of the killed command above may still be there, and is looked at first or last.
  const kill = vi.spyOn(process, 'kill').mockImplementation((pid) => {
    const code = pid === 4242 && isThere.now ? 'EPERM' : 'ESRCH';
    throw Object.assign(new Error('refused'), { code });
  });
  onTestFinished(() => kill.mockRestore());
  await signOf(4242);
  const alone = vi.fn();
  const waiting = untilAlone(dataDir, new AbortController().signal).then(alone);
  const asked = () => kill.mock.calls.filter(([pid]) => pid === 4242).length;
  await expect.poll(asked, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(alone).not.toHaveBeenCalled();
  isThere.now = false;
  await waiting;
});
