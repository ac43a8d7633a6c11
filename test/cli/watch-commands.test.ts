import { mkdir } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../electron/cli/client.ts';
import { addWatch, listPresets, listWatches } from '../../electron/cli/watch-commands.ts';
import { openService } from '../support/service.ts';

function heard(): string[] {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => [log, error].forEach((spy) => spy.mockRestore()));
  return lines;
}

describe('watching from the command line', () => {
  it('grants the folders, uses the preset by its name, and lists both', async () => {
    const service = await openService();
    const client = createClient({ url: service.url, key: service.key });
    const root = realpathSync(service.dataDir);
    const [folder, saveTo] = [path.join(root, 'inbox'), path.join(root, 'out')];
    for (const each of [folder, saveTo]) await mkdir(each);
    const lines = heard();
    const command = { folder, saveTo, preset: 'web', recursive: true, existing: true, json: false };
    await expect(addWatch(client, command)).rejects.toThrow('(there is none yet)');
    await service.call('POST', '/api/presets', {
      name: 'Web',
      operation: 'upscale',
      options: { scale: 4 },
    });
    await addWatch(client, command);
    await listWatches(client, command);
    await listPresets(client, command);
    const watching = `watching     ${folder} -> ${saveTo}  0 of 0 done, 0 failed`;
    expect(lines).toEqual([watching, watching, `${'Web'.padEnd(20)}  upscale    scale 4`]);
    expect((await client.settings()).grantedFolders).toEqual([folder, saveTo]);
  });
});
