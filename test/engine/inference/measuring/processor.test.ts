import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  defaultThreads,
  readProcessor,
  threadCandidates,
} from '../../../../electron/engine/inference/measuring/processor.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Writes what Linux tells of its processors into a folder. */
function linuxOf(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return root;
}

const siblings = (cpu: number, list: string) => ({
  [`sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`]: list,
});

describe('the threads that are tried', () => {
  it('are one, a thread a core, and a thread a logical processor', () => {
    expect(threadCandidates({ logical: 16, physical: 8 })).toEqual([1, 8, 16]);
    expect(threadCandidates({ logical: 1, physical: 1 })).toEqual([1]);
  });

  it('are those of the fast cores alone, too, on a hybrid processor', () => {
    expect(threadCandidates({ logical: 20, physical: 14, performance: 6 })).toEqual([1, 6, 14, 20]);
  });

  it('are never more than the process may use', () => {
    expect(threadCandidates({ logical: 2, physical: 8 })).toEqual([1, 2]);
  });

  it('are half of the processors where nothing is known of cores', () => {
    expect(threadCandidates({ logical: 8 })).toEqual([1, 4, 8]);
  });
});

describe('the threads of a network that was not measured', () => {
  it('are all of a virtual machine that calls two processors one core', () => {
    expect(defaultThreads({ logical: 2, physical: 1 })).toBe(2);
  });

  it('are one on one core', () => {
    expect(defaultThreads({ logical: 1, physical: 4 })).toBe(1);
    expect(threadCandidates({ logical: 1, physical: 4 })).toEqual([1]);
  });

  it('are one for each core of a usual processor, and for each fast core of a hybrid one', () => {
    expect(defaultThreads({ logical: 16, physical: 8 })).toBe(8);
    expect(defaultThreads({ logical: 20, physical: 14, performance: 6 })).toBe(6);
  });
});

describe('a processor under Linux', () => {
  it('counts cores by their threads, and only those that this process may use', () => {
    const root = linuxOf({
      ...{ ...siblings(0, '0,2'), ...siblings(1, '1,3'), ...siblings(2, '0,2') },
      ...siblings(3, '1,3'),
      'sys/devices/system/cpu/cpu0/cache/index2/size': '512K',
      'sys/devices/system/cpu/cpu0/cache/index3/size': '32768K',
    });
    expect(readProcessor('linux', 4, root)).toEqual({
      logical: 4,
      physical: 2,
      cacheBytes: 32 * 1024 ** 2,
    });
    mkdirSync(join(root, 'proc/self'), { recursive: true });
    writeFileSync(join(root, 'proc/self/status'), 'Name:\tnode\nCpus_allowed_list:\t1,3\n');
    expect(readProcessor('linux', 2, root)).toMatchObject({ logical: 2, physical: 1 });
  });

  it('tells the fast cores of a hybrid one', () => {
    const cores = [siblings(0, '0-1'), siblings(1, '0-1'), siblings(2, '2'), siblings(3, '3')];
    const files = Object.assign({}, ...cores) as Record<string, string>;
    const intel = linuxOf({ ...files, 'sys/devices/cpu_core/cpus': '0-1' });
    expect(readProcessor('linux', 4, intel)).toMatchObject({ physical: 3, performance: 1 });
    const capacities = Object.fromEntries(
      [1024, 1024, 400, 400].map((one, cpu) => [
        `sys/devices/system/cpu/cpu${cpu}/cpu_capacity`,
        String(one),
      ]),
    );
    const arm = linuxOf({
      ...{ ...siblings(0, '0'), ...siblings(1, '1'), ...siblings(2, '2'), ...siblings(3, '3') },
      ...capacities,
    });
    expect(readProcessor('linux', 4, arm)).toMatchObject({ physical: 4, performance: 2 });
  });

  it.each([
    ['half a processor', '0::/app', { 'sys/fs/cgroup/app/cpu.max': '50000 100000' }, 1],
    ['one and a half', '0::/', { 'sys/fs/cgroup/cpu.max': '150000 100000' }, 2],
    ['as many as there are', '0::/app', { 'sys/fs/cgroup/app/cpu.max': 'max 100000' }, 8],
    [
      'what the group above allows',
      '0::/pod/app',
      {
        'sys/fs/cgroup/pod/app/cpu.max': 'max 100000',
        'sys/fs/cgroup/pod/cpu.max': '300000 100000',
      },
      3,
    ],
    [
      'a quota of the first version of groups',
      '5:memory:/app\n3:cpu,cpuacct:/app',
      {
        'sys/fs/cgroup/cpu/app/cpu.cfs_quota_us': '200000',
        'sys/fs/cgroup/cpu/app/cpu.cfs_period_us': '100000',
      },
      2,
    ],
    [
      'no quota of the first version of groups',
      '3:cpu:/',
      {
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
      },
      8,
    ],
  ])('has as many as a control group allows: %s', (_, group, files, logical) => {
    const root = linuxOf({ 'proc/self/cgroup': group, ...files });
    expect(readProcessor('linux', 8, root).logical).toBe(logical);
  });

  it('is known by its logical processors alone where the system hides the rest', () => {
    expect(readProcessor('linux', 3, temporaryFolder())).toEqual({ logical: 3 });
  });
});
