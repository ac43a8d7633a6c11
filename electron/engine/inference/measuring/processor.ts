/**
 * Describes the processor: logical processors, physical cores, performance cores and cache. onnxruntime's own
 * choice of threads counts physical cores by the system's topology, which is wrong in virtual machines,
 * containers, WSL and on some hybrid processors; so sessions always get an explicit count.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

export interface Processor {
  /** Logical processors that this process may use, by affinity and control group. */
  logical: number;
  /** Physical cores among them, by the system's topology, which a virtual machine may report wrongly. */
  physical?: number;
  /** Performance cores of a hybrid processor; absent: all cores are alike. */
  performance?: number;
  /** The largest cache that threads of one network share, in bytes. */
  cacheBytes?: number;
}

/**
 * Thread counts worth measuring, ascending. If the topology is unknown, half of the logical processors stands
 * for the physical cores.
 */
export function threadCandidates({ logical, physical, performance }: Processor): number[] {
  const cores = physical ?? Math.ceil(logical / 2);
  const candidates = [1, performance ?? cores, cores, logical].filter((one) => one <= logical);
  return [...new Set(candidates)].sort((a, b) => a - b);
}

/** Below this many cores a topology is more often a virtual machine's mistake than true. */
const minCredibleCores = 4;

/** Threads for a network that was not measured yet. */
export function defaultThreads({ logical, physical, performance }: Processor): number {
  const cores = performance ?? physical ?? Math.ceil(logical / 2);
  return cores < minCredibleCores ? Math.min(logical, minCredibleCores) : Math.min(logical, cores);
}

let known: Processor | undefined;

/** This machine's processor, read once. */
export function processorHere(): Processor {
  known ??= readProcessor(process.platform, availableParallelism());
  return known;
}

/** @param root folder that contains `proc` and `sys` */
export function readProcessor(platform: NodeJS.Platform, logical: number, root = '/'): Processor {
  if (platform === 'linux') return readLinux(logical, root);
  if (platform === 'darwin') return { logical, ...readMac() };
  return { logical };
}

type ReadText = (path: string) => string | undefined;

function readLinux(logical: number, root: string): Processor {
  const textOf: ReadText = (path) => {
    try {
      return readFileSync(join(root, path), 'utf8').trim();
    } catch {
      // Not every kernel and container has this file.
      return undefined;
    }
  };
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(textOf('proc/self/status') ?? '')?.[1];
  const cpus = 'sys/devices/system/cpu';
  const present = namesIn(join(root, cpus))
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => Number(name.slice('cpu'.length)));
  const own = new Set(allowed === undefined ? present : numbersOf(allowed));
  const coreOf = (cpu: number) => textOf(`${cpus}/cpu${cpu}/topology/thread_siblings_list`);
  const countCores = (all: Iterable<number>) =>
    new Set([...all].map(coreOf).filter((core) => core !== undefined)).size;
  const physical = countCores(own);
  const fast = numbersOf(textOf('sys/devices/cpu_core/cpus') ?? fastestCores(own, textOf) ?? '');
  const performance = countCores(fast.filter((cpu) => own.has(cpu)));
  const [first = 0] = own;
  const caches = [2, 3].map((index) =>
    bytesOf(textOf(`${cpus}/cpu${first}/cache/index${index}/size`)),
  );
  const cacheBytes = Math.max(...caches);
  return {
    logical: Math.max(1, Math.min(logical, Math.ceil(processorQuota(textOf)))),
    ...(physical > 0 && { physical }),
    ...(performance > 0 && performance < physical && { performance }),
    ...(cacheBytes > 0 && { cacheBytes }),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Processors that the control groups of this process, and those above, allow it; Infinity without a limit. Node
 * counts them in one of the usual layouts only.
 */
function processorQuota(textOf: ReadText): number {
  const quotas = (textOf('proc/self/cgroup') ?? '').split('\n').flatMap((line) => {
    const [, controllers = '', ...path] = line.split(':');
    const folders = foldersUpFrom(path.join(':'));
    if (controllers === '')
      return folders.map((folder) => quotaOf(textOf(`sys/fs/cgroup${folder}/cpu.max`)));
    if (!controllers.split(',').includes('cpu')) return [];
    return folders.map((folder) => {
      const [quota, period] = ['quota', 'period'].map((name) =>
        textOf(`sys/fs/cgroup/cpu${folder}/cpu.cfs_${name}_us`),
      );
      return quotaOf(`${quota ?? ''} ${period ?? ''}`);
    });
  });
  return Math.min(Infinity, ...quotas);
}

/** A group's folder and those above it, such as "/a/b", "/a" and "". */
function foldersUpFrom(group: string): string[] {
  const names = group.split('/').filter((name) => name !== '' && name !== '..');
  return Array.from({ length: names.length + 1 }, (_, i) =>
    names
      .slice(0, names.length - i)
      .map((name) => `/${name}`)
      .join(''),
  );
}

/** Parses a quota and its period, such as "50000 100000", which allow half a processor. */
function quotaOf(text = ''): number {
  const [quota = 0, period = 0] = text.split(' ').map(Number);
  return quota > 0 && period > 0 ? quota / period : Infinity;
}

/** Cores of the largest capacity on an ARM processor; undefined where capacities are not reported. */
function fastestCores(cpus: Iterable<number>, textOf: ReadText): string | undefined {
  const capacities = [...cpus].map((cpu) => {
    const text = textOf(`sys/devices/system/cpu/cpu${cpu}/cpu_capacity`);
    return { cpu, capacity: Number(text ?? 0) };
  });
  const max = Math.max(...capacities.map(({ capacity }) => capacity));
  if (!(max > 0)) return undefined;
  return capacities
    .filter(({ capacity }) => capacity === max)
    .map(({ cpu }) => cpu)
    .join();
}

/** Parses the kernel's lists, such as "0-3,8". */
function numbersOf(list: string): number[] {
  return list
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

/** Parses the kernel's sizes, such as "32768K". */
function bytesOf(text = ''): number {
  const [, count = '0', unit = ''] = /^(\d+)([KM]?)$/.exec(text) ?? [];
  return Number(count) * (unit === 'M' ? 1024 ** 2 : unit === 'K' ? 1024 : 1);
}

function readMac(): Omit<Processor, 'logical'> {
  const read = (name: string) => {
    try {
      const text = execFileSync('/usr/sbin/sysctl', ['-n', name], {
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
      });
      return Number(text.toString()) || undefined;
    } catch {
      // Only hybrid processors have performance levels.
      return undefined;
    }
  };
  const physical = read('hw.physicalcpu');
  const performance = read('hw.perflevel0.physicalcpu');
  const cacheBytes = read('hw.perflevel0.l2cachesize') ?? read('hw.l3cachesize');
  return {
    ...(physical !== undefined && { physical }),
    ...(performance !== undefined &&
      physical !== undefined &&
      performance < physical && { performance }),
    ...(cacheBytes !== undefined && { cacheBytes }),
  };
}
