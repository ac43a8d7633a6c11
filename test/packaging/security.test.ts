/** SECURITY.md promises what a test shows: each row names files of tests that are there. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/program.ts';

it('names a test that is there for each of its promises', () => {
  const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
  const tables = text.split('| promise | test |\n|---|---|\n').slice(1);
  const rows = tables.flatMap((table) => (table.split('\n\n', 1)[0] ?? '').trim().split('\n'));
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const [promise = '', tests = ''] = row.slice(1, -1).split('|');
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    expect(files, promise).not.toEqual([]);
    for (const file of files) {
      expect(file).toMatch(/^test\/.+\.test\.ts$/);
      expect(existsSync(path.join(root, file)), file).toBe(true);
    }
  }
});
