import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogFile, withoutSecrets } from '../../electron/service/log-file.ts';
import { openService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const read = (dataDir: string) => readFileSync(path.join(dataDir, 'logs', 'enlarger.log'), 'utf8');

describe('the log file', () => {
  it('holds what the service says, and nobody else may read it', async () => {
    const service = await openService({ script: () => ({ do: 'throw' }) });
    const taskId = await service.submit();
    await service.until(taskId, 'FAILED');
    expect(read(service.dataDir)).toContain(taskId);
    const { mode } = statSync(path.join(service.dataDir, 'logs', 'enlarger.log'));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
  });

  it('takes bounded room, and keeps what came last', () => {
    const dataDir = temporaryFolder();
    const log = createLogFile(dataDir, () => undefined, 10_000);
    for (let i = 0; i < 2000; i += 1) log('info', `line ${i}`, { more: 'x'.repeat(i) });
    const names = readdirSync(path.join(dataDir, 'logs'));
    expect(names.toSorted()).toEqual(['enlarger.1.log', 'enlarger.log']);
    for (const name of names)
      expect(statSync(path.join(dataDir, 'logs', name)).size).toBeLessThanOrEqual(10_000);
    expect(read(dataDir)).toContain('line 1999');
  });

  it('holds no key, no signature, no password and no picture', () => {
    const key = 'A-b_'.repeat(11).slice(0, 43);
    const said = [
      `Authorization: KEY ${key}`,
      `http://127.0.0.1:8617/#token=${key}`,
      `http://127.0.0.1:8617/api/results/x/image.jpg?expires=1&signature=${'ab'.repeat(32)}`,
      'http://ada:secret@example.org/a.jpg',
      `data:image/png;base64,${'iVBOR'.repeat(100)}`,
      `the key ${key}`,
    ];
    for (const text of said) {
      const line = withoutSecrets(JSON.stringify({ text }));
      for (const secret of [key, 'ab'.repeat(32), 'secret', 'iVBORiVBOR'])
        expect(line).not.toContain(secret);
      expect(JSON.parse(line)).toHaveProperty('text');
    }
    const plain = JSON.stringify({
      taskId: crypto.randomUUID(),
      file: '/home/ada/a-b_c/photo.jpg',
    });
    expect(withoutSecrets(plain)).toBe(plain);
  });

  it('is no reason to stop when it cannot be written', () => {
    const dataDir = temporaryFolder();
    writeFileSync(path.join(dataDir, 'logs'), 'a file in its place');
    const told: string[] = [];
    createLogFile(dataDir, (_level, message) => void told.push(message))('info', 'goes on');
    expect(told).toEqual(['goes on']);
  });
});
