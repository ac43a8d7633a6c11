/**
 * Hundreds that follow the stream of all tasks, in a process of their own. Who is cut off goes on with
 * Last-Event-ID, as a program should. Of each it is noted which tasks it was told of.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { hangMs } from '../service-cost.ts';
import { say, targetOf, type ReadersAsked, type ReadersTold } from './messages.ts';

const { url, key, readers, deaf, lame, lameUntil } = targetOf() as ReadersAsked;
const { host, port } = new URL(url);

/** A task's place in what each reader has seen. */
const places = new Map<string, number>();

const isOver = new AbortController();

class Reader {
  readonly #seen = new Set<number>();
  #socket: Socket;
  #left: Buffer = Buffer.alloc(0);
  #lastId: string | undefined;
  #isEnded = false;
  /** Of the changes that it was told, in order. */
  hash = 0;
  resumed = 0;
  resets = 0;

  constructor() {
    this.#socket = this.#open();
  }

  wasTold(place: number): boolean {
    return this.#seen.has(place);
  }

  /** Reads nothing until others were told of so many tasks: more than the kernel holds for it. */
  async rest(): Promise<void> {
    this.#socket.pause();
    while (places.size < lameUntil && !isOver.signal.aborted) await wait(50);
    this.#socket.resume();
  }

  end(): void {
    this.#isEnded = true;
    this.#socket.destroy();
  }

  #open(): Socket {
    this.#left = Buffer.alloc(0);
    const socket = open(this.#lastId);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('close', () => {
      if (this.#isEnded) return;
      this.resumed += 1;
      void wait(100).then(() => (this.#socket = this.#open()));
    });
    return socket;
  }

  /** Bytes are looked through and not made text of: hundreds of readers are one process here. */
  #take(chunk: Buffer): void {
    const bytes = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk]);
    if (bytes.includes('\nevent: reset')) this.resets += 1;
    let at = bytes.indexOf(start);
    let done = Math.max(0, bytes.length - start.length);
    for (; at >= 0; at = bytes.indexOf(start, at + 1)) {
      const found = head.exec(bytes.toString('latin1', at, at + longestHead));
      if (!found && bytes.length - at < longestHead) {
        done = at;
        break;
      }
      if (found) this.#note(found[1] ?? '', found[2] ?? '');
    }
    this.#left = Buffer.from(bytes.subarray(done));
  }

  #note(id: string, taskId: string): void {
    if (id === this.#lastId) return;
    this.#lastId = id;
    this.hash = (Math.imul(this.hash, 31) + Number(id)) | 0;
    const place = places.get(taskId) ?? places.size;
    places.set(taskId, place);
    this.#seen.add(place);
  }
}

const start = '\nid: ';
const head = /^\nid: (\d+)\nevent: message\ndata: \{"taskId":"([0-9a-f-]{36})"/;
const longestHead = 110;

function open(lastId?: string): Socket {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  const resume = lastId === undefined ? '' : `Last-Event-ID: ${lastId}\r\n`;
  socket.write(
    `GET /api/tasks/sse HTTP/1.1\r\nHost: ${host}\r\nAuthorization: KEY ${key}\r\n${resume}\r\n`,
  );
  return socket;
}

const deafOnes = Array.from({ length: deaf }, () => open().pause());
const all = Array.from({ length: readers - deaf }, () => new Reader());

const resting = all.slice(0, lame).map((reader) => reader.rest());

const missesOf = (taskIds: readonly string[]) =>
  all.filter((reader) => taskIds.some((taskId) => !reader.wasTold(places.get(taskId) ?? -1)));

/** Those that were never cut off were told the same, change by change. */
function differingOf(): number {
  const counts = new Map<number, number>();
  const uncut = all.filter(({ resumed }) => resumed === 0);
  for (const { hash } of uncut) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return uncut.length - Math.max(0, ...counts.values());
}

/** Nothing changes any more; those that fell behind have a while to come to the end. */
async function judge(taskIds: readonly string[]): Promise<ReadersTold> {
  isOver.abort();
  await Promise.all(resting);
  const ends = performance.now() + hangMs;
  const isOpen = () => missesOf(taskIds).length > 0 || differingOf() > 0;
  while (isOpen() && performance.now() < ends) await wait(500);
  const sum = (of: (reader: Reader) => number) => all.reduce((n, reader) => n + of(reader), 0);
  return {
    missing: missesOf(taskIds).length,
    differing: differingOf(),
    resumed: sum(({ resumed }) => resumed),
    resets: sum(({ resets }) => resets),
  };
}

process.once('message', (taskIds: string[]) => {
  void judge(taskIds).then((told) => {
    for (const reader of all) reader.end();
    for (const socket of deafOnes) socket.destroy();
    say(told);
  });
});
// All are connected and told how the queue stands.
await wait(3000);
say({});
