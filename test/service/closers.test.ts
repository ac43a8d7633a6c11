import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClosers, CloseTimeout } from '../../electron/service/closers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const never = () => new Promise<void>(() => undefined);

describe('closing', () => {
  it('goes on after what does not end in its time, and says so', async () => {
    const closers = createClosers({ eachMs: 50, hurriedMs: 10 });
    const closed: string[] = [];
    closers.add(() => void closed.push('first'));
    closers.add(never);
    closers.add(() => void closed.push('last'));
    await expect(closers.closeAll()).rejects.toThrow(CloseTimeout);
    expect(closed).toEqual(['last', 'first']);
  });

  it('takes less time when it is hurried in the midst of it', async () => {
    const closers = createClosers({ eachMs: 60_000, hurriedMs: 10 });
    closers.add(never);
    const hurry = new AbortController();
    setTimeout(() => hurry.abort(), 20);
    await expect(closers.closeAll(hurry.signal)).rejects.toThrow(CloseTimeout);
  });

  it('throws the first failure when all ended in time', async () => {
    const closers = createClosers();
    closers.add(() => Promise.reject(new Error('second')));
    closers.add(() => Promise.reject(new Error('first')));
    await expect(closers.closeAll()).rejects.toThrow('first');
  });
});

const canMakePipes = process.platform !== 'win32';

it.runIf(canMakePipes)(
  'a process whose threads all hang in the system ends all the same',
  async () => {
    const dir = temporaryFolder();
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const at = (file: string) => JSON.stringify(new URL(`../../electron/${file}`, import.meta.url));
    const script = `
    import { open } from 'node:fs/promises';
    const { createClosers } = await import(${at('service/closers.ts')});
    const { endProcess } = await import(${at('end-process.ts')});
    const hanging = Array.from({ length: 4 }, () => open(${JSON.stringify(pipe)}, 'r'));
    const closers = createClosers({ eachMs: 100, hurriedMs: 10 });
    closers.add(() => Promise.all(hanging));
    await closers.closeAll().catch((error) => endProcess(error, () => process.exit(0)));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: 'inherit',
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
  },
);
