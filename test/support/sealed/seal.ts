/**
 * Runs a program in a network namespace of its own, which looks like a machine with a way to the internet:
 * every name is answered with an address that does not exist, and every packet that leaves is counted.
 * `unshare -rnm --pid --fork --kill-child node seal.ts REPORT PROGRAM ARGS…`; the report is written when the program has ended,
 * and nothing that it started outlives it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface SealReport {
  code: number | null;
  /** Names that were asked for. */
  names: string[];
  /** Packets that left, and those of IPv6 that found no way out. */
  packets: number;
}

/** Below the time that a test waits. */
const limitMs = 150_000;

const ip = (args: string) => execFileSync('ip', args.split(' '));

function makeNetwork(): void {
  ip('link set lo up');
  ip('link add out type veth peer name nowhere');
  for (const end of ['out', 'nowhere']) ip(`link set ${end} addrgenmode none up`);
  ip('addr add 198.51.100.2/24 dev out');
  ip('neigh add 198.51.100.1 lladdr 02:00:00:00:00:01 dev out nud permanent');
  ip('route add default via 198.51.100.1');
}

function useNameserver(folder: string): void {
  const file = path.join(folder, 'resolv.conf');
  writeFileSync(file, 'nameserver 127.0.0.1\n');
  execFileSync('mount', ['--bind', file, '/etc/resolv.conf']);
}

/** RFC 1035: one question, answered with an address of a network for documentation (RFC 5737). */
async function answerNames(names: string[]) {
  const socket = createSocket('udp4');
  socket.on('message', (asked, from) => {
    const { name, end } = questionOf(asked);
    names.push(name);
    const isIpv4 = asked.readUInt16BE(end - 4) === 1;
    const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]);
    asked.copy(head, 0, 0, 2);
    const response = Buffer.from('c00c000100010000003c0004cb007107', 'hex');
    const parts = [head, asked.subarray(12, end), ...(isIpv4 ? [response] : [])];
    socket.send(Buffer.concat(parts), from.port, from.address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

function questionOf(asked: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = asked[at] ?? 0; size > 0; size = asked[at] ?? 0) {
    labels.push(asked.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join('.'), end: at + 5 };
}

function packetsOut(): number {
  const line = /^\s*out:(.*)$/m.exec(readFileSync('/proc/net/dev', 'latin1'))?.[1] ?? '';
  const sent = Number(line.trim().split(/\s+/)[9]);
  const noWay = /^Ip6OutNoRoutes\s+(\d+)/m.exec(readFileSync('/proc/net/snmp6', 'latin1'))?.[1];
  return sent + Number(noWay ?? 0);
}

const [report = '', program = '', ...args] = process.argv.slice(2);
const names: string[] = [];
makeNetwork();
useNameserver(path.dirname(report));
const server = await answerNames(names);
const child = spawn(program, args, { stdio: 'inherit' });
const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
const [code] = (await once(child, 'exit')) as [number | null];
clearTimeout(limit);
server.close();
const said: SealReport = { code, names: [...new Set(names)], packets: packetsOut() };
writeFileSync(report, JSON.stringify(said));
