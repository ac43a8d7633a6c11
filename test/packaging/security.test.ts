/** SECURITY.md promises what a test shows: each row names files of tests that are there, and limits and names are the code's. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defaultLimits } from '../../packages/http/src/server.ts';
import { maxOpenPerKey } from '../../packages/http/src/access/open-requests.ts';
import { maxFieldBytes } from '../../packages/compat/src/form-fields.ts';
import { maxPoolSlots } from '../../packages/pool/src/job-runner.ts';
import { maxReplyBytes } from '../../packages/pool/src/queue/reply-limit.ts';
import { maxResultBytes } from '../../packages/pool/src/queue/work-queues.ts';
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

const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');

it('says the limits that the code has', () => {
  expect(text).toContain(`hold at most ${defaultLimits.bodyBytes / 2 ** 20} MB of memory together`);
  expect(text).toContain(`a reply of more than ${maxReplyBytes / 2 ** 20} MB ends the connection`);
  expect(text).toContain(`a result of more than ${maxResultBytes / 2 ** 10} KB is none`);
  expect(text).toContain(`a machine has ${maxPoolSlots} tasks there at most`);
  expect(text).toContain(`A text of a form has at most ${maxFieldBytes / 2 ** 10} KB`);
  expect(text).toContain(`holds at most ${maxOpenPerKey.toLocaleString('en')} requests open`);
});

it("names what is there in Electron's checklist, a row for each of its points", () => {
  const rows = [...text.matchAll(/^\| (\d+) \| ([^|]+) \| (.+) \|$/gm)];
  expect(rows.map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  const files = globSync('electron/{*.ts,desktop/**/*.ts,service/api/*.ts,contract/*.ts}', {
    cwd: root,
  });
  const sources = [...files, 'electron-builder.yml', 'package.json']
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
  for (const [, , point, where = ''] of rows)
    for (const [, name = ''] of where.matchAll(/`([^`]+)`/g)) {
      const isThere =
        existsSync(path.join(root, name)) ||
        files.some((file) => path.basename(file) === name) ||
        sources.includes(name);
      expect([point, name, isThere]).toEqual([point, name, true]);
    }
});
