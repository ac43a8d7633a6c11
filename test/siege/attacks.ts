/** What strangers, pages and programs with a plain key tried, each with the outcome that must hold. */
import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { untilEnded, type HeadlessService } from '../support/headless.ts';
import { folderAttacks } from './folders.ts';
import { enlargeOne } from './kills.ts';
import { poison } from './poison.ts';
import { poisonBeside, programAttacks } from './programs.ts';
import { attempt, expectThat, type Row } from './table.ts';

export interface Ground {
  service: HeadlessService;
  /** Granted. */
  folder: string;
  /** Beside it, not granted. */
  outside: string;
}

export type Attack = [name: string, outcome: string, (ground: Ground, row: Row) => Promise<void>];

/** Each ends with a health call and the next good picture. */
export async function attack(ground: Ground): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, outcome, run] of [...attacks, ...folderAttacks, ...programAttacks]) {
    const row: Row = { attack: name, outcome, attempts: 0, failures: [] };
    await attempt(row, name, () => run(ground, row));
    await attempt(row, 'the next good picture', () => enlargeOne(ground.service, rows.length));
    // Neither the attack as a whole nor what comes after it is one of its attempts.
    row.attempts = Math.max(row.attempts - 2, 1);
    rows.push(row);
  }
  return rows;
}

/** Every route of the description that asks for a key; what answers without one is stated in SECURITY.md. */
async function guardedRoutes({ url }: HeadlessService): Promise<string[]> {
  const answer = await fetch(`${url}/api/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, object> };
  const all = Object.entries(paths).flatMap(([at, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${at.replaceAll(/\{[^}]*\}/g, 'x')}`,
    ),
  );
  const open =
    /^(GET \/api\/(health|openapi\.json)|POST \/api\/session|(GET|HEAD) \/api\/results\/.*)$/;
  const guarded = all.filter((route) => !open.test(route));
  expectThat(guarded.length >= 80, `the description has ${guarded.length} routes`);
  return guarded;
}

const hex = '0123456789abcdef';
const noKeys = [
  ...['', 'KEY', 'KEY ', 'KEY x', 'key x', 'Key\tx', 'KEY  ', 'KEY null', 'KEY undefined', 'KEY 0'],
  ...[
    'KEY [object Object]',
    'KEY __proto__',
    'KEY constructor',
    "KEY ' OR 1=1 --",
    'KEY %00',
    'KEY *',
  ],
  ...[
    'Bearer',
    'Bearer x',
    'Bearer null',
    'Basic eDp4',
    'Basic Og==',
    'Basic !',
    'Digest x',
    'x',
    ',',
  ],
  ...[`KEY ${hex.repeat(4)}`, `KEY ${'A'.repeat(8000)}`, `KEY ${hex}, KEY ${hex}`],
];

const attacks: Attack[] = [
  [
    'without a valid key',
    '401, and nothing else told',
    async ({ service }, row) => {
      for (const route of await guardedRoutes(service))
        for (const authorization of noKeys)
          await attempt(row, `${route} with ${authorization}`, async () => {
            const [method = '', at = ''] = route.split(' ');
            const headers = {
              ...(authorization !== '' && { authorization }),
              'content-type': 'application/json',
            };
            const body = /^(GET|HEAD)$/.test(method) ? {} : { body: '{}' };
            const { status } = await fetch(service.url + at, { method, headers, ...body });
            expectThat(status === 401, `answered ${status}`);
          });
    },
  ],
  [
    'foreign Host (rebinding)',
    '403',
    async ({ service }, row) => {
      const { port } = new URL(service.url);
      const hosts = [
        ...['evil.example', `evil.example:${port}`, '127.0.0.1', '127.0.0.1:1', `0.0.0.0:${port}`],
        ...[
          `127.1:${port}`,
          `2130706433:${port}`,
          `0x7f.1:${port}`,
          `0177.0.0.1:${port}`,
          `0:${port}`,
        ],
        ...[`[::ffff:127.0.0.1]:${port}`, `[::]:${port}`, `[fe80::1]:${port}`, `::1:${port}`],
        ...[`localhost.evil.example:${port}`, `127.0.0.1.nip.io:${port}`, `localhost.:${port}`],
        ...[
          `127.0.0.1:${port}@evil.example`,
          `evil.example@127.0.0.1:${port}`,
          '',
          ' ',
          ':',
          `:${port}`,
        ],
        ...[
          `127.0.0.1:${port}.`,
          `127.0.0.1:${port}/x`,
          `127.0.0.1:0${port}`,
          `127.0.0.1:${port},x`,
        ],
        `127.0.0.2:${port}`,
      ];
      for (const host of hosts)
        await attempt(row, host, async () => {
          const head = `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
          const answer = await rawAnswer(service, head);
          expectThat(/^HTTP\/1.1 40[03] /.test(answer), answer.slice(0, 20));
        });
    },
  ],
  [
    'sources on this machine and its networks',
    'SOURCE_REFUSED',
    async ({ service }, row) => {
      const names = [
        ...[
          '127.0.0.1',
          '127.1',
          '127.0.1',
          '127.255.255.254',
          '2130706433',
          '0x7f000001',
          '0x7f.1',
        ],
        ...[
          '0177.0.0.1',
          '017700000001',
          '127.0.0.1.',
          '127.0.0.01',
          '①②⑦.0.0.1',
          '127。0。0。1',
          '0',
        ],
        ...[
          '0.0.0.0',
          '0.1.2.3',
          'localhost',
          'LOCALHOST',
          'localhost.',
          'a.localhost',
          '%31%32%37.0.0.1',
        ],
        ...[
          '10.0.0.1',
          '10.255.255.255',
          '167772161',
          '172.16.0.1',
          '172.31.255.255',
          '192.168.1.1',
        ],
        ...[
          '3232235777',
          '0xc0a80101',
          '192.168.257',
          '169.254.169.254',
          '2852039166',
          '100.64.0.1',
        ],
        ...['192.0.2.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
        ...[
          '[::1]',
          '[::]',
          '[0:0:0:0:0:0:0:1]',
          '[::127.0.0.1]',
          '[::ffff:127.0.0.1]',
          '[::ffff:7f00:1]',
        ],
        ...[
          '[::ffff:10.0.0.1]',
          '[::ffff:a9fe:a9fe]',
          '[fe80::1]',
          '[fc00::1]',
          '[fd00::1]',
          '[fec0::1]',
        ],
        ...['[ff02::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001::1]'],
      ];
      for (const name of names)
        await attempt(row, name, async () => {
          const answer = await service.call('POST', '/api/image-upscaler', {
            imageUrl: `http://${name}:1/a.png`,
          });
          if (answer.status === 400) return;
          const { taskId } = (await answer.json()) as { taskId: string };
          const { error } = await untilEnded(service, taskId, 20_000);
          // A name that leads nowhere on this machine is never asked.
          const isRefused =
            error?.code === 'SOURCE_REFUSED' ||
            (error?.code === 'SOURCE_UNREACHABLE' && /localhost/i.test(name));
          expectThat(isRefused, error?.code ?? 'no error');
        });
    },
  ],
  [
    'hostile bodies',
    'under 500, and an answer within 20 s',
    async ({ service }, row) => {
      const mib = 1024 * 1024;
      const bodies: [string, string, string | Buffer][] = [
        ['60 MB nested', 'application/json', '['.repeat(60 * mib)],
        ['60 MB of names', 'application/json', `{${'"a":1,'.repeat(10 * mib)}"b":1}`],
        [
          '60 MB of spaced base64',
          'application/json',
          JSON.stringify({ imageUrl: `data:image/png;base64,${'iV BO '.repeat(10 * mib)}` }),
        ],
        ['70 MB', 'application/json', `"${'x'.repeat(70 * mib)}"`],
        [
          'nested 5,000 deep',
          'application/json',
          `{"imageUrl":"http://a.example/","strokes":${'['.repeat(5000)}${']'.repeat(5000)}}`,
        ],
        ['proto', 'application/json', '{"__proto__":{"scale":2},"imageUrl":"http://a.example/"}'],
        ['no UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
        ['half', 'application/json', '{"imageUrl":"ht'],
      ];
      for (const [what, type, body] of bodies)
        await attempt(row, what, async () => {
          const { status } = await fetch(`${service.url}/api/image-upscaler`, {
            method: 'POST',
            headers: { authorization: `KEY ${service.key}`, 'content-type': type },
            body: typeof body === 'string' ? body : new Uint8Array(body),
            signal: AbortSignal.timeout(20_000),
          });
          expectThat(status < 500, `answered ${status}`);
          await health(service);
        });
      for (let i = 0; i < 6; i += 1)
        await attempt(row, 'a form of 950 fields of 1 MB', async () => {
          const form = new FormData();
          for (let n = 0; n < 100; n += 1) form.append(`f${n}`, 'x'.repeat(mib));
          form.append('file', new Blob(['x']), 'a.png');
          const answer = await fetch(`${service.url}/api/uploads`, {
            method: 'POST',
            headers: { authorization: `KEY ${service.key}` },
            body: form,
          }).catch(() => undefined);
          expectThat(
            answer === undefined || (answer.status >= 400 && answer.status < 500),
            `answered ${answer?.status}`,
          );
        });
    },
  ],
  [
    'pictures made to take time or memory, waiting beside a photo',
    'FAILED or FINISHED within 60 s, no engine death, the photo beside it FINISHED',
    ({ service }, row) => poisonBeside(service, poison(), row),
  ],
  [
    'a folder exchanged for a link while it is read',
    'nothing outside is read',
    async ({ service, folder, outside }, row) => {
      const inside = path.join(folder, 'swap');
      const away = path.join(folder, 'away');
      await mkdir(inside);
      await writeFile(path.join(inside, 'a.png'), 'inside');
      await writeFile(path.join(outside, 'a.png'), 'outside');
      const over = new AbortController();
      const isOver = () => over.signal.aborted;
      const swapping = (async () => {
        while (!isOver()) {
          await rename(inside, away);
          await symlink(outside, inside);
          await rm(inside);
          await rename(away, inside);
        }
      })();
      for (let i = 0; i < 150; i += 1)
        await attempt(row, `submit ${i}`, async () => {
          const answer = await service.call('POST', '/api/estimate', {
            imageUrl: `file://${inside}/a.png`,
          });
          expectThat(answer.status < 500, `answered ${answer.status}`);
          expectThat(!(await answer.text()).includes('"outside"'), 'it was read');
        });
      over.abort();
      await swapping;
    },
  ],
  [
    'a pipe in place of a picture',
    'refused, and nothing hangs',
    async ({ service, folder }, row) => {
      const pipe = path.join(folder, 'pipe.png');
      execFileSync('mkfifo', [pipe]);
      for (let i = 0; i < 8; i += 1)
        await attempt(row, 'submit', async () => {
          const answer = await service.call('POST', '/api/image-upscaler', {
            imageUrl: `file://${pipe}`,
          });
          expectThat(answer.status >= 400 && answer.status < 500, `answered ${answer.status}`);
        });
    },
  ],
  [
    'broken forms and HTTP',
    'under 500',
    async ({ service }, row) => {
      const { host } = new URL(service.url);
      const forms = [
        '',
        '--x',
        '--x\r\n\r\n',
        '--x--',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"',
      ];
      for (const body of forms)
        await attempt(row, JSON.stringify(body), async () => {
          const headers = {
            authorization: `KEY ${service.key}`,
            'content-type': 'multipart/form-data; boundary=x',
          };
          const { status } = await fetch(`${service.url}/api/uploads`, {
            method: 'POST',
            headers,
            body,
          });
          expectThat(status < 500, `answered ${status}`);
        });
      const texts = [
        'GET',
        'GET / HTTP/9.9\r\n\r\n',
        `GET / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n`,
        `\0\0\0\r\n\r\n`,
        `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ];
      for (const text of texts)
        await attempt(row, JSON.stringify(text.slice(0, 30)), async () => {
          await rawAnswer(service, text);
          await health(service);
        });
    },
  ],
];

/** What comes back for bytes that need be no HTTP, until the connection ends. */
async function rawAnswer({ url }: HeadlessService, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise((resolve) => {
    socket.on('close', resolve).setTimeout(20_000, () => socket.destroy());
  });
  return answer;
}

async function health({ url }: HeadlessService): Promise<void> {
  const { status } = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(20_000) });
  expectThat(status === 200, `health answered ${status}`);
}
