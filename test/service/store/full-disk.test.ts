/** A disk that is really full: a small file system of its own, where this machine allows to make one. */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../electron/service/store/store.ts';
import { reserveBytes, reserveName } from '../../../electron/service/store/reserve.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Undefined where nothing may be mounted. */
function smallDisk(megabytes: number): string | undefined {
  const place = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'enlarger-test', place], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', place]));
  return place;
}

function fill(folder: string): void {
  const file = openSync(path.join(folder, 'filling'), 'w');
  for (const size of [1 << 20, 4096])
    for (;;) {
      try {
        writeSync(file, Buffer.alloc(size, 1));
      } catch {
        break;
      }
    }
  closeSync(file);
}

describe('a full disk', () => {
  it('still lets tasks be deleted and cancelled, and makes its reserve again', async (context) => {
    const disk = smallDisk(160);
    if (disk === undefined) return context.skip('nothing can be mounted here');
    const dataDir = path.join(disk, 'data');
    mkdirSync(dataDir);
    const service = await openService({ dataDir, script: () => ({ do: 'hold' }) });
    const ids: string[] = [];
    for (let i = 0; i < 30; i += 1) ids.push(await service.submit());
    const store = openStore(dataDir);
    store.fillReserve();
    store.close();
    expect(statSync(path.join(dataDir, reserveName)).size).toBe(reserveBytes);
    fill(disk);
    expect((await service.call('POST', '/api/uploads', Buffer.alloc(50_000))).status).toBe(507);
    for (const taskId of ids.slice(2, 12)) {
      const answer = await service.call('DELETE', `/api/task/${taskId}?now=true`);
      expect(answer.status, answer.text).toBe(204);
    }
    for (const taskId of ids.slice(12, 20))
      expect((await service.call('POST', `/api/task/${taskId}/cancel`)).status).toBe(200);
    expect(existsSync(path.join(dataDir, reserveName))).toBe(false);
    expect((await service.call('GET', '/api/tasks')).body).toMatchObject({
      counts: { FAILED: 8, FINISHED: 0 },
    });
    rmSync(path.join(disk, 'filling'));
    const again = openStore(dataDir);
    again.fillReserve();
    again.close();
    expect(statSync(path.join(dataDir, reserveName)).size).toBe(reserveBytes);
  });
});
