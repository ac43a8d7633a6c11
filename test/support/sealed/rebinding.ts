/**
 * Fetches a name that its owner rebinds: a nameserver of its own answers once with an address elsewhere and once with
 * this machine, where a server has a secret. `unshare -rnm node rebinding.ts FOLDER TIMES`; prints what came of it.
 */
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { fetchUrl } from '../../../electron/service/sources/remote/fetch-url.ts';

const [folder = '', times = '100'] = process.argv.slice(2);
const elsewhere = [93, 184, 216, 34];
const here = [127, 0, 0, 1];

execFileSync('ip', ['link', 'set', 'lo', 'up']);
const resolvers = path.join(folder, 'resolv.conf');
writeFileSync(resolvers, 'nameserver 127.0.0.1\n');
execFileSync('mount', ['--bind', resolvers, '/etc/resolv.conf']);

let asked = 0;
const names = createSocket('udp4').bind(53, '127.0.0.1');
names.on('message', (question, from) => {
  const text = question.toString('latin1', 12);
  const end = 12 + text.indexOf('\0') + 5;
  const isIpv4 = question.readUInt16BE(end - 4) === 1;
  const first = (asked += isIpv4 ? 1 : 0) % 2 === 1;
  const both = text.includes('both');
  const addresses = !isIpv4 ? [] : both ? [elsewhere, here] : [first ? elsewhere : here];
  // RFC 1035, with a time to live of nothing.
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
  question.copy(head, 0, 0, 2);
  const responses = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address]),
  );
  names.send(
    Buffer.concat([head, question.subarray(12, end), ...responses]),
    from.port,
    from.address,
  );
});
await once(names, 'listening');

let reached = 0;
const secret = createServer((_, response) => {
  reached += 1;
  response.end('secret');
}).listen(0, '127.0.0.1');
await once(secret, 'listening');
const { port } = secret.address() as AddressInfo;

const ends: Record<string, number> = {};
for (let i = 0; i < Number(times); i += 1) {
  const name = i % 10 === 9 ? 'both.example' : 'rebound.example';
  const end = await fetchUrl(`http://${name}:${port}/a.png`, {
    toPath: path.join(folder, `fetched-${i}`),
    maxBytes: 1000,
    allowLocal: false,
    signal: AbortSignal.timeout(20_000),
    timeouts: { connectMs: 500, silenceMs: 1000, totalMs: 2000, rateWindowMs: 1000 },
  }).then(
    () => 'fetched',
    (thrown: unknown) => (thrown instanceof EnlargerError ? thrown.code : String(thrown)),
  );
  ends[end] = (ends[end] ?? 0) + 1;
}
// That it could have been reached: the same server, without the lock.
await fetch(`http://127.0.0.1:${port}/`);
console.log(JSON.stringify({ asked, reached: reached - 1, ends }));
process.exit();
