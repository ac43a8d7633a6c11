import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UserFacingError } from '../../../../packages/contract/src/error-messages.ts';
import { openPoolServer } from '../../../../packages/pool/src/queue/queue.ts';
import { jobIn, openTestSubmitter, openTestWorker } from '../../../support/pool-parts.ts';
import { quick } from '../../../support/pool.ts';
import { freePort, openTestRedis, redisProgram } from '../../../support/redis.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

const missing = [
  redisProgram === undefined && 'neither valkey-server nor redis-server is installed',
  run('openssl', 'version').status !== 0 && 'openssl is not installed',
  // It ends at once, for the file it names is not there; without TLS it does not know the option.
  redisProgram !== undefined &&
    run(redisProgram, '--port', '0', '--tls-port', '1', '--tls-cert-file', '/none').output.includes(
      'Bad directive',
    ) &&
    'the server is built without TLS',
].find((reason) => reason !== false);
const left = missing === undefined ? '' : ` (left out: ${missing})`;

/** A certificate for localhost and 127.0.0.1, signed by an authority of its own. */
function makeCertificates(folder: string) {
  const at = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => {
    const { status, output } = run('openssl', ...args);
    if (status !== 0) throw new Error(output);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other-ca'])
    openssl(
      ...['req', '-x509', ...key, '-days', '2', '-subj', '/CN=Studio'],
      ...['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)],
    );
  openssl(...['req', ...key, '-subj', '/CN=nas', '-keyout', at('nas.key'), '-out', at('nas.csr')]);
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  openssl(
    ...['x509', '-req', '-in', at('nas.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key')],
    ...['-CAcreateserial', '-days', '2', '-extfile', at('names'), '-out', at('nas.pem')],
  );
  return { ca: at('ca.pem'), otherCa: at('other-ca.pem'), key: at('nas.key'), cert: at('nas.pem') };
}

/** With TLS, and a user as the documentation makes one. */
async function openSafeRedis() {
  const folder = temporaryFolder();
  const { ca, otherCa, key, cert } = makeCertificates(folder);
  const port = await freePort();
  const redis = await openTestRedis(folder, [
    ...['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key],
    ...['--tls-ca-cert-file', ca, '--tls-auth-clients', 'no'],
  ]);
  const page = await readFile(path.join(import.meta.dirname, '../../../../docs/pool.md'), 'utf8');
  const line = /`(ACL SETUSER studio [^`]+)`/.exec(page)?.[1];
  expect(await redis.send(line ?? '')).toBe('+OK\r\n');
  expect(await redis.send('ACL SETUSER default off')).toBe('+OK\r\n');
  const addressOf = (user: string, host = 'localhost', authority = ca) =>
    `rediss://${user}@${host}:${port}?ca=${encodeURIComponent(authority)}`;
  return { folder, addressOf, otherCa, plain: redis.address };
}

async function problemOf(address: string): Promise<string> {
  const server = openPoolServer(address);
  onTestFinished(() => server.close());
  await expect.poll(() => server.problem(), quick).toBeDefined();
  expect(server.isReady()).toBe(false);
  return server.problem() ?? '';
}

describe.skipIf(missing !== undefined)(`a queue's server with TLS and users${left}`, () => {
  test.each(['localhost', '127.0.0.1'])(
    'is used as %s by a user of the pool alone',
    async (host) => {
      const { folder, addressOf } = await openSafeRedis();
      const address = addressOf('studio:password', host);
      const { submitter } = await openTestSubmitter(address, folder, 'a'.repeat(16));
      await openTestWorker(address, () => Promise.reject(new UserFacingError('It is not made.')));
      const watch = { signal: new AbortController().signal, onProgress: () => undefined };
      await expect(submitter.run(jobIn(folder, 1), watch)).rejects.toThrow(/It is not made/);
    },
  );

  test('says what is wrong with a password, a certificate, or without TLS', async () => {
    const { addressOf, otherCa, plain } = await openSafeRedis();
    expect(await problemOf(addressOf('studio:other'))).toMatch(/WRONGPASS/);
    expect(await problemOf(addressOf('studio:password', 'localhost', otherCa))).toMatch(
      /certificate/,
    );
    expect(await problemOf(plain)).toMatch(/NOAUTH/);
    expect(() => openPoolServer(addressOf('studio:password', 'localhost', '/none'))).toThrow(
      'The certificate /none that pool.address names cannot be read.',
    );
  });
});
