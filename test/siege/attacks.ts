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
import { describeCosts, expectCost, hangMs } from './service-cost.ts';
import { attempt, expectThat, type Row } from './table.ts';

export interface Target {
  service: HeadlessService;
  /** Granted. */
  folder: string;
  /** Beside it, not granted. */
  outside: string;
}

export type Attack = [name: string, outcome: string, (target: Target, row: Row) => Promise<void>];

/** Each ends with the next good picture, and is reported as it ends. */
export async function attack(
  target: Target,
  isChosen: (name: string) => boolean,
  onEnd: (row: Row) => void,
): Promise<void> {
  const chosen = [...attacks, ...folderAttacks, ...programAttacks].filter(([name]) =>
    isChosen(name),
  );
  for (const [index, [name, outcome, run]] of chosen.entries()) {
    const row: Row = { attack: name, outcome, attempts: 0, failures: [] };
    await attempt(row, name, () => run(target, row));
    await attempt(row, 'the next good picture', () => enlargeOne(target.service, index));
    // Neither the attack as a whole nor what comes after it is one of its attempts.
    row.attempts = Math.max(row.attempts - 2, 1);
    onEnd(row);
  }
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

/**
 * Of a body of 60 MB, which is scanned and at most written into a file. Bytes: of one body a key can have 20 MB of text
 * in memory, and while it is made a string, twice as much; the rest is what the collector has not freed yet.
 */
const maxBodyCost = { processorSeconds: 10, bytes: 150e6 };
/** Of a hostile picture, its thumbnail and the photo beside it. */
const maxPoisonSeconds = 10;

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
          const { error } = await untilEnded(service, taskId, hangMs);
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
    `the stated refusal, for at most ${maxBodyCost.processorSeconds} processor seconds and ${maxBodyCost.bytes / 1e6} MB, and calls beside it are answered`,
    async ({ service }, row) => {
      const mib = 1024 * 1024;
      const bodies: [what: string, expected: number, body: string | Buffer][] = [
        ['60 MB nested', 400, '['.repeat(60 * mib)],
        ['60 MB of names', 400, `{${'"a":1,'.repeat(10 * mib)}"b":1}`],
        [
          '60 MB of spaced base64',
          200,
          JSON.stringify({ imageUrl: `data:image/png;base64,${'iV BO '.repeat(10 * mib)}` }),
        ],
        ['70 MB', 413, `"${'x'.repeat(70 * mib)}"`],
        [
          'nested 5,000 deep',
          400,
          `{"imageUrl":"http://a.example/","strokes":${'['.repeat(5000)}${']'.repeat(5000)}}`,
        ],
        ['proto', 400, '{"__proto__":{"scale":2},"imageUrl":"http://a.example/"}'],
        ['no UTF-8', 400, Buffer.from([0x22, 0xff, 0xfe, 0x22])],
        ['half', 400, '{"imageUrl":"ht'],
      ];
      const headers = { authorization: `KEY ${service.key}` };
      const costs: Awaited<ReturnType<typeof expectCost>>[] = [];
      const sendBeside = async (send: () => Promise<void>) =>
        costs.push(await expectCost(service, maxBodyCost, () => beside(service, send)));
      for (const [what, expected, body] of bodies)
        await attempt(row, what, async () => {
          await sendBeside(async () => {
            const { status } = await fetch(`${service.url}/api/image-upscaler`, {
              method: 'POST',
              headers: { ...headers, 'content-type': 'application/json' },
              body: typeof body === 'string' ? body : new Uint8Array(body),
              signal: AbortSignal.timeout(hangMs),
            });
            expectThat(status === expected, `answered ${status}, not ${expected}`);
          });
        });
      for (let i = 0; i < 6; i += 1)
        await attempt(row, 'a form of 100 fields of 1 MB', async () => {
          const form = new FormData();
          for (let n = 0; n < 100; n += 1) form.append(`f${n}`, 'x'.repeat(mib));
          form.append('file', new Blob(['x']), 'a.png');
          await sendBeside(async () => {
            // It is refused within its text: then the connection ends, which not every client reads the answer of.
            const answer = await fetch(`${service.url}/api/uploads`, {
              method: 'POST',
              headers,
              body: form,
              signal: AbortSignal.timeout(hangMs),
            }).catch((thrown: unknown) => {
              if (thrown instanceof DOMException) throw thrown;
              return undefined;
            });
            expectThat(
              answer === undefined || (answer.status >= 400 && answer.status < 500),
              `answered ${answer?.status}`,
            );
          });
        });
      row.figures = describeCosts(costs);
    },
  ],
  [
    'pictures made to take time or memory, waiting beside a photo',
    `FAILED or FINISHED for at most ${maxPoisonSeconds} processor seconds, no engine death, the photo beside it FINISHED`,
    ({ service }, row) => poisonBeside(service, poison(), maxPoisonSeconds, row),
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
  // Nothing more comes, so that half a request is answered or dropped at once.
  socket.end(text);
  await new Promise((resolve, reject) => {
    socket.on('close', resolve).setTimeout(hangMs, () => {
      socket.destroy();
      reject(new Error('the connection stays open'));
    });
  });
  return answer;
}

async function health({ url }: HeadlessService): Promise<void> {
  const { status } = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(hangMs) });
  expectThat(status === 200, `health answered ${status}`);
}

/** Asks for the service's health again and again until the work has ended; the last time is after it. */
async function beside(service: HeadlessService, work: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const asking = (async () => {
    do await health(service);
    while (!isOver());
  })();
  try {
    await work();
  } finally {
    over.abort();
    await asking;
  }
}
