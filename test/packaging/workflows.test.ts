/** The workflows, read by the parser of GitHub's own editor service, and what is asked of each of them here. */
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/program.ts';

const folder = path.join(root, '.github/workflows');
const names = readdirSync(folder);
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

function problemsIn(name: string, content: string): string[] {
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

describe('the workflows', () => {
  it('are what GitHub understands', () => {
    expect(names).toContain('release.yml');
    for (const name of names) expect([name, problemsIn(name, read(name))]).toEqual([name, []]);
    expect(problemsIn('x.yml', 'on: push\njobs:\n  a:\n    steps: []\n')).not.toEqual([]);
  });

  it('start without any permission and take actions by their hash', () => {
    for (const name of names) {
      expect(parse(read(name))).toMatchObject({ permissions: {} });
      const uses = [...read(name).matchAll(/uses: (\S+)/g)].map(([, action]) => action ?? '');
      expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    }
  });

  it('put nothing that others write into a shell', () => {
    for (const name of names) {
      const scripts = [...read(name).matchAll(/run: (\|[\s\S]*?\n(?= {6}- | {0,4}\S|$)|.*)/g)];
      expect(scripts.length).toBeGreaterThanOrEqual(name === 'codeql.yml' ? 0 : 1);
      for (const [script] of scripts) expect(script).not.toContain('${{');
    }
  });
});
