/** The processes of a packed Enlarger on this machine, and whom they speak with. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';

export interface Running {
  pid: number;
  /** The program's file, absolute. */
  file: string;
}

/** The window's program in all its processes, the helpers of a Mac's, and the Node that a package brings. */
const ours =
  /[\\/](Enlarger|enlarger-window|Enlarger Helper[^\\/]*)(\.exe)?$|[\\/]resources[\\/]bin[\\/]node(\.exe)?$/i;

export function ownProcesses(): Running[] {
  const list = { linux: onLinux, darwin: onMac, win32: onWindows }[process.platform as 'linux'];
  return list().filter(({ file }) => ours.test(file));
}

function onLinux(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), file: readlinkSync(`/proc/${name}/exe`) }];
      } catch {
        // It has ended, or is another person's.
        return [];
      }
    });
}

function onMac(): Running[] {
  return said('ps', ['-axo', 'pid=,comm=']).flatMap((line) =>
    asRunning(/^\s*(\d+)\s+(.+)$/.exec(line)),
  );
}

function onWindows(): Running[] {
  const list = 'Get-Process | Where-Object Path | ForEach-Object { "$($_.Id) $($_.Path)" }';
  return said('powershell.exe', ['-NoProfile', '-Command', list]).flatMap((line) =>
    asRunning(/^(\d+) (.+?)\r?$/.exec(line)),
  );
}

function asRunning(found: RegExpExecArray | null): Running[] {
  return found === null ? [] : [{ pid: Number(found[1]), file: found[2] ?? '' }];
}

function said(command: string, args: string[]): string[] {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
}

/** The lines of the system's own tool that tell of connections of these processes to another machine. */
export function strangers(pids: readonly number[]): string[] {
  const { command, args } = tools[process.platform as 'linux'];
  return strangersIn(process.platform, said(command, args), pids);
}

const tools = {
  linux: { command: 'ss', args: ['-Htunp'] },
  darwin: { command: 'lsof', args: ['-nP', '-iTCP', '-iUDP'] },
  win32: { command: 'netstat', args: ['-ano'] },
};

/** The other end of a connection; nothing for who only listens. */
const otherEnd: Partial<Record<NodeJS.Platform, RegExp>> = {
  linux: /^(?:tcp|udp)(?:\s+\S+){4}\s+(\S+)/,
  darwin: /->(\S+)/,
  win32: /^\s*(?:TCP|UDP)\s+\S+\s+(\S+)/,
};
const owner: Partial<Record<NodeJS.Platform, RegExp>> = {
  linux: /pid=(\d+)/,
  darwin: /^\S+\s+(\d+)/,
  win32: /(\d+)\s*$/,
};
const own = /^(127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:127\.\d+\.\d+\.\d+\]|0\.0\.0\.0|\[::\]|\*):/;

export function strangersIn(
  platform: NodeJS.Platform,
  lines: readonly string[],
  pids: readonly number[],
): string[] {
  return lines.filter((line) => {
    const pid = Number(owner[platform]?.exec(line)?.[1]);
    const other = otherEnd[platform]?.exec(line)?.[1];
    return pids.includes(pid) && other !== undefined && !own.test(other);
  });
}
