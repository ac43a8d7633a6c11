/** What work costs by the clock, and of the processors by program (on Linux), which others on the machine change less. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Measured {
  seconds: number;
  /** Of this process and all below it, by what they do; empty where it cannot be seen. */
  processors: Processors;
}

export const programs = ['engine', 'looks at pictures', 'services', "queue's server"] as const;
type Program = (typeof programs)[number];
type Processors = Partial<Record<Program, number>>;

export async function measure(work: () => Promise<unknown>): Promise<Measured> {
  const before = processorSeconds();
  const seconds = await timed(work);
  const after = processorSeconds();
  const spent = programs
    .filter((program) => program in after)
    .map((program) => [program, (after[program] ?? 0) - (before[program] ?? 0)]);
  return { seconds, processors: Object.fromEntries(spent) as Processors };
}

/** Of this process, those it started, and those they started. Of its own ended ones only lookers end in between. */
function processorSeconds(): Processors {
  if (process.platform !== 'linux') return {};
  const known = new Map<number, Known>();
  for (const id of readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one))
    .map(Number)) {
    try {
      known.set(id, readProcess(id));
    } catch {
      // It ended meanwhile.
    }
  }
  const isBelow = (id: number): boolean => {
    const parent = known.get(id)?.parent ?? 0;
    return id === process.pid || (parent > 1 && isBelow(parent));
  };
  const spent: Processors = {};
  const add = (program: Program, seconds: number) => {
    spent[program] = (spent[program] ?? 0) + seconds;
  };
  for (const [id, { program, own, ended }] of known)
    if (isBelow(id)) {
      add(program, own);
      add(id === process.pid ? 'looks at pictures' : program, ended);
    }
  return spent;
}

interface Known {
  parent: number;
  program: Program;
  /** Seconds of user and system. */
  own: number;
  /** Of its children that ended. */
  ended: number;
}

/** By proc_pid_stat(5). */
function readProcess(id: number): Known {
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksASecond = 100;
  const secondsAt = (from: number) =>
    (Number(fields[from]) + Number(fields[from + 1])) / ticksASecond;
  const program = programOf(id, readFileSync(`/proc/${id}/cmdline`, 'utf8'));
  return { parent: Number(fields[1]), program, own: secondsAt(11), ended: secondsAt(13) };
}

function programOf(id: number, command: string): Program {
  if (id === process.pid) return 'services';
  if (/(redis|valkey)-server/.test(command)) return "queue's server";
  return command.endsWith('\0look\0') ? 'looks at pictures' : 'engine';
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** NaN where nothing is known. */
export const sumOf = (processors: Processors) =>
  Object.values(processors).reduce(
    (sum, seconds) => sum + seconds,
    Object.keys(processors).length === 0 ? NaN : 0,
  );
