import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { statusName } from '../../../packages/http/src/status-name.ts';
import { root } from '../../support/program.ts';

it('names statuses', () => {
  expect([200, 404, 418, 999].map(statusName)).toEqual([
    'OK',
    'Not Found',
    "I'm a Teapot",
    'Error',
  ]);
});

it("loads no client of Node's", () => {
  const file = path.join(root, 'packages/http/src/status-name.ts');
  const code = `await import(${JSON.stringify(file)}); console.log(process.moduleLoadList.join())`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', code]).toString();
  expect(loaded).toContain('NativeModule http');
  expect(loaded).not.toContain('undici');
});
