/** What the service still does while its disk is full. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../electron/service/store/store.ts';
import { reserveBytes, reserveName } from '../../../../electron/service/store/disk/reserve.ts';
import { empty, fill } from '../../../support/filling.ts';
import { openService } from '../../../support/service.ts';
import { smallDisk } from '../../../support/small-disk.ts';

describe('a full disk', () => {
  it('that is small has a smaller reserve, and lets tasks be deleted too', async (context) => {
    const disk = smallDisk(24);
    if (disk === undefined) return context.skip('nothing can be mounted here');
    const dataDir = path.join(disk, 'data');
    mkdirSync(dataDir);
    const service = await openService({ dataDir, script: () => ({ do: 'hold' }) });
    const ids: string[] = [];
    for (let i = 0; i < 8; i += 1) ids.push(await service.submit());
    const store = openStore(dataDir);
    store.fillReserve();
    store.close();
    expect(statSync(path.join(dataDir, reserveName)).size).toBeGreaterThan(512 * 1024);
    fill(disk);
    for (const taskId of ids.slice(2)) {
      const response = await service.call('DELETE', `/api/task/${taskId}?now=true`);
      expect(response.status, response.text).toBe(204);
    }
  });

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
      const response = await service.call('DELETE', `/api/task/${taskId}?now=true`);
      expect(response.status, response.text).toBe(204);
    }
    for (const taskId of ids.slice(12, 20))
      expect((await service.call('POST', `/api/task/${taskId}/cancel`)).status).toBe(200);
    expect(existsSync(path.join(dataDir, reserveName))).toBe(false);
    expect((await service.call('GET', '/api/tasks')).body).toMatchObject({
      counts: { FAILED: 8, FINISHED: 0 },
    });
    empty(disk);
    const again = openStore(dataDir);
    again.fillReserve();
    again.close();
    expect(statSync(path.join(dataDir, reserveName)).size).toBe(reserveBytes);
  });
});
