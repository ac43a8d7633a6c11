import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { syncFolder } from '../../../packages/files/src/sync.ts';

describe('syncFolder', () => {
  it('syncs a folder of a disk', async () => {
    await expect(syncFolder(tmpdir())).resolves.toBeUndefined();
  });

  // /proc refuses the call as many network shares do.
  it.skipIf(!existsSync('/proc/self'))('goes on where a drive has no such call', async () => {
    await expect(syncFolder('/proc')).resolves.toBeUndefined();
  });

  it('fails for a folder that is not there', async () => {
    await expect(syncFolder('/no/such/folder')).rejects.toThrow('ENOENT');
  });
});
