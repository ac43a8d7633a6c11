import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compatTable } from '../../../packages/compat/src/index.ts';
import { compatMarkdown } from '../../support/compat-markdown.ts';
import { openCompatService } from '../../support/compat-service.ts';

const file = path.join(import.meta.dirname, '../../../docs/compatibility.md');

describe('the documentation of programs of other services', () => {
  it('is a page without a key and without anything from elsewhere', async () => {
    const { url } = await openCompatService();
    const response = await fetch(`${url}/api/compatibility`);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const { family, routes } of compatTable)
      for (const words of [family, ...routes]) expect(html).toContain(words);
    expect(html).not.toMatch(/(src|href)="https?:/);
  });

  it('stands in docs/ too, made from the same table (UPDATE=1 writes it)', async () => {
    if (process.env.UPDATE === '1') await writeFile(file, compatMarkdown());
    expect(await readFile(file, 'utf8')).toBe(compatMarkdown());
  });

  it('names routes that are there', async () => {
    const { compatUrl, programKey } = await openCompatService();
    for (const route of compatTable.flatMap(({ routes }) => routes)) {
      const [method = '', address = ''] = route.split(' ');
      const response = await fetch(compatUrl + (address.split('?')[0] ?? ''), {
        method,
        headers: { 'x-api-key': programKey },
      });
      expect([route, response.status]).not.toEqual([route, 404]);
      expect([route, response.status < 500]).toEqual([route, true]);
    }
  });
});
