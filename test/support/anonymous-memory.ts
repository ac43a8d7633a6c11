/** What a process and all that it started hold in memory beside mapped files, which the system can drop. Linux. */
import { readdirSync, readFileSync } from 'node:fs';

const mib = 1024 ** 2;

/** What a file under /proc says, or nothing when its process has gone. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
}

/** The process and all that it started, directly or not. */
function familyOf(root: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const isFamily = (pid: number): boolean =>
    pid === root || (pid > 1 && isFamily(parents.get(pid) ?? 0));
  return all.filter(isFamily);
}

/** `without`: the root itself does not count, only what it started. */
export function anonymousMib(root: number, without?: 'root'): number {
  const bytes = familyOf(root)
    .filter((pid) => without === undefined || pid !== root)
    .map((pid) => {
      const found = /^Anonymous:\s+(\d+) kB/m.exec(readProc(pid, 'smaps_rollup'));
      return Number(found?.[1] ?? 0) * 1024;
    });
  return bytes.reduce((sum, value) => sum + value, 0) / mib;
}
