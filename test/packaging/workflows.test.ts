/**
 * The workflows, read by the parser of GitHub's own editor service, and what is asked of each of them here.
 */
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Job {
  name?: string;
  permissions?: Record<string, string>;
  environment?: unknown;
  needs?: string | string[];
  strategy?: unknown;
  secrets?: unknown;
  steps: Step[];
}
interface Workflow {
  name?: string;
  on: Record<string, unknown>;
  permissions?: unknown;
  concurrency?: unknown;
  jobs: Record<string, Job>;
}

const folder = path.join(root, '.github/workflows');
const names = readdirSync(folder);
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const workflows = names.map((file) => ({ file, ...(parse(read(file)) as Workflow) }));
const jobs = workflows.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([id, job]) => ({ id: `${file}: ${id}`, ...job })),
);
const steps = jobs.flatMap(({ id, steps }) => steps.map((step) => ({ id, ...step })));
const stepsUsing = (action: string) => steps.filter(({ uses }) => uses?.startsWith(`${action}@`));

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

  it('start without any permission, and each job says what it may', () => {
    for (const { file, permissions } of workflows) expect([file, permissions]).toEqual([file, {}]);
    for (const { id, permissions } of jobs) expect([id, permissions]).not.toEqual([id, undefined]);
    const writing = jobs.filter(({ permissions }) =>
      Object.values(permissions ?? {}).includes('write'),
    );
    expect(writing.map(({ id }) => id).sort()).toEqual([
      'codeql.yml: analyse',
      'documentation.yml: publish',
      'release.yml: draft',
    ]);
  });

  it('take actions by their hash, the same everywhere, with the version beside it', () => {
    const lines = names.flatMap((name) => read(name).match(/uses: .*/g) ?? []);
    expect(lines.length).toBeGreaterThan(10);
    const hashes = new Map<string, string>();
    for (const line of lines) {
      const [, action = '', hash = ''] =
        /^uses: (\S+)@([0-9a-f]{40}) # v\d+\.\d+\.\d+$/.exec(line) ?? [];
      expect([line, action]).not.toEqual([line, '']);
      const repository = action.split('/', 2).join('/');
      expect([repository, hashes.get(repository) ?? hash]).toEqual([repository, hash]);
      hashes.set(repository, hash);
    }
  });

  it('leave no key in the checkout, and keep nothing from one run to the next where a release is made', () => {
    for (const { id, with: given } of stepsUsing('actions/checkout'))
      expect([id, given?.['persist-credentials']]).toEqual([id, false]);
    for (const { id, with: given } of stepsUsing('actions/setup-node').filter(({ id }) =>
      /^(release|documentation)/.test(id),
    ))
      expect([id, given?.['package-manager-cache'], given?.['cache']]).toEqual([
        id,
        false,
        undefined,
      ]);
  });

  it('put nothing that others write into a shell, nor into the steps after it', () => {
    const scripts = steps.flatMap(({ run }) => run ?? []);
    expect(scripts.length).toBeGreaterThan(10);
    for (const script of scripts) expect(script).not.toMatch(/\$\{\{|GITHUB_(ENV|PATH)\b/);
  });

  it('never run what a stranger wrote with the rights of the repository', () => {
    const dangerous = ['pull_request_target', 'workflow_run', 'issue_comment'];
    for (const { file, on } of workflows)
      expect([file, dangerous.filter((trigger) => trigger in on)]).toEqual([file, []]);
  });

  it('give secrets only to the job that signs, out of an environment of its own', () => {
    const secret = jobs.filter((job) => JSON.stringify(job).includes('secrets.'));
    expect(secret.map(({ id, environment }) => [id, environment])).toEqual([
      ['release.yml: packages', 'signing'],
    ]);
    expect(jobs.filter(({ secrets }) => secrets !== undefined)).toEqual([]);
    // A system without keys of its own gets none of another system's.
    for (const [line] of read('release.yml').matchAll(/.*secrets\..*/g))
      expect(line).toMatch(
        /\$\{\{ (matrix\.system == '(macos|windows)' && secrets\.\w+ \|\| )+'' \}\}$/,
      );
  });

  it('ask people once before a release, and build nothing before', () => {
    const release = jobs.filter(({ id }) => id.startsWith('release.yml: '));
    const asking = release.filter(({ environment }) => environment === 'release');
    expect(asking.map(({ id, strategy }) => [id, strategy])).toEqual([
      ['release.yml: approval', undefined],
    ]);
    const waiting = (name: string): boolean => {
      if (name === 'approval') return true;
      const needs = release.find(({ id }) => id === `release.yml: ${name}`)?.needs ?? [];
      return [needs].flat().some(waiting);
    };
    expect(release.filter(({ id }) => !waiting(id.replace('release.yml: ', '')))).toEqual([]);
  });

  it('have names, and stop what a newer run makes needless', () => {
    for (const { file, name, concurrency } of workflows)
      expect([file, name === undefined, concurrency === undefined]).toEqual([file, false, false]);
    for (const { id, name } of jobs) expect([id, name]).not.toEqual([id, undefined]);
  });

  it('run the tests on the Node of the matrix, not on the one that npm ci brought', () => {
    const tests = jobs.find(({ id }) => id === 'check.yml: tests');
    const scripts = tests?.steps.flatMap(({ run }) => run ?? []);
    expect(scripts).toContain('node node_modules/vitest/vitest.mjs run');
    expect(scripts?.filter((script) => /npm (run )?test|npx/.test(script))).toEqual([]);
  });
});

describe('the updates of dependencies', () => {
  it('wait a week, for every folder with a lock file', () => {
    const { updates } = parse(readFileSync(path.join(root, '.github/dependabot.yml'), 'utf8')) as {
      updates: { directory: string; cooldown?: { 'default-days': number } }[];
    };
    for (const { directory, cooldown } of updates)
      expect([directory, cooldown?.['default-days']]).toEqual([directory, 7]);
    expect(updates.map(({ directory }) => directory)).toContain('/docs');
  });
});

describe.skipIf(process.platform === 'win32')('the draft of a release', () => {
  /** Runs the step with a gh that has this to say of the release, and lists what gh was called for. */
  function draft(view: string) {
    const step = steps.find(({ run }) => run?.includes('gh release create'));
    const bin = temporaryFolder();
    const gh = `#!/bin/sh\necho "$1 $2 $3" >> "$CALLS"\n[ "$2" != view ] || ${view}\n`;
    writeFileSync(path.join(bin, 'gh'), gh, { mode: 0o755 });
    writeFileSync(path.join(bin, 'node'), '#!/bin/sh\necho notes\n', { mode: 0o755 });
    writeFileSync(path.join(bin, 'calls'), '');
    const { status } = spawnSync('bash', ['-e', '-c', step?.run ?? 'exit 99'], {
      cwd: bin,
      env: {
        PATH: `${bin}:${process.env.PATH ?? ''}`,
        CALLS: path.join(bin, 'calls'),
        GITHUB_REF_NAME: 'v1.0.0-beta.1',
        GITHUB_REPOSITORY: 'owner/name',
      },
    });
    const calls = readFileSync(path.join(bin, 'calls'), 'utf8').trim().split('\n');
    return { status, calls: calls.map((call) => call.split(' ')[1]) };
  }

  it('is made once, and filled again by a second run', () => {
    expect(draft('exit 1')).toEqual({ status: 0, calls: ['view', 'create'] });
    expect(draft('echo true')).toEqual({ status: 0, calls: ['view', 'edit', 'upload'] });
  });

  it('is not made of a release that people have', () => {
    expect(draft('echo false')).toEqual({ status: 1, calls: ['view'] });
  });
});
