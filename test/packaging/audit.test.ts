import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface Finding {
  name: string;
  url: string;
}
const audit = (await import(new URL('../../.ci/audit.mjs', import.meta.url).href)) as {
  newFindings: (report: object, accepted: Record<string, string>) => Finding[] | undefined;
};

const url = 'https://github.com/advisories/GHSA-1';
const report = {
  vulnerabilities: {
    inner: { via: [{ url, title: 'It falls over', severity: 'high' }] },
    outer: { via: ['inner'] },
  },
};

describe('known faults of dependencies', () => {
  it('count once each, unless they are accepted', () => {
    expect(audit.newFindings(report, {})).toMatchObject([{ name: 'inner', url }]);
    expect(
      audit.newFindings(report, { [url]: 'Only what we write ourselves is given to it.' }),
    ).toEqual([]);
    expect(audit.newFindings({ vulnerabilities: {} }, {})).toEqual([]);
  });

  it('are not known where the registry cannot be asked', async () => {
    expect(audit.newFindings({ message: '405 Method Not Allowed' }, {})).toBeUndefined();
    const script = path.resolve(import.meta.dirname, '../../.ci/audit.mjs');
    const env = {
      ...process.env,
      npm_config_registry: 'http://127.0.0.1:1/',
      npm_config_fetch_retries: '0',
    };
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, [script], { env }, (error, stdout) =>
        resolve(`${error?.code ?? 0} ${stdout}`),
      );
    });
    expect(said).toMatch(/^0 The registry could not be asked/);
  });
});
