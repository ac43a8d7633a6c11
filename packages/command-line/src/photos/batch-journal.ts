/**
 * Writes down which task each picture of a batch became, so that the same command goes on with a batch that a
 * kill, a power cut or Ctrl-C interrupted. The file is removed when the batch has ended.
 */
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { isAlive } from '../../../../electron/running-service.ts';

const Head = Type.Object({ batch: Type.String(), startedAt: Type.Number() });
const JournalLine = Type.Object({
  key: Type.String(),
  taskId: Type.Optional(Type.String()),
  output: Type.Optional(Type.String()),
});
type JournalLine = Static<typeof JournalLine>;

/** A picture that was changed since is another one. */
interface BatchPicture {
  file: string;
}

/** What a former run of the batch did with a picture. */
export type Former = Pick<JournalLine, 'taskId' | 'output'>;

export interface BatchJournal {
  /** When the interrupted run of this batch began; undefined for a new batch. */
  readonly resumedFrom: Date | undefined;
  /** The tasks that the interrupted run submitted. */
  readonly formerTasks: readonly string[];
  formerOf(picture: BatchPicture): Promise<Former | undefined>;
  /** Makes a key that is the same in each run of this batch, for submits whose bodies are the same too. */
  idempotencyKeyOf(picture: BatchPicture): Promise<string>;
  noteSubmitted(picture: BatchPicture, taskId: string): Promise<void>;
  /** Notes the file that this command itself made of the picture's result. */
  noteSaved(picture: BatchPicture, output: string): Promise<void>;
  /** The batch has ended, so the next run of the command makes all anew. */
  finish(): Promise<void>;
}

/** A command that keeps no journal makes all anew each time. */
export const noJournal: BatchJournal = {
  resumedFrom: undefined,
  formerTasks: [],
  formerOf: () => Promise.resolve(undefined),
  idempotencyKeyOf: () => Promise.resolve(randomUUID()),
  noteSubmitted: () => Promise.resolve(),
  noteSaved: () => Promise.resolve(),
  finish: () => Promise.resolve(),
};

/** Rows of tasks are kept as long, so an older journal names none that is still there. */
const keptMs = 30 * 86_400_000;

interface JournalOptions {
  /** The folder is made when it is missing. */
  folder: string;
  /** What makes two commands the same: photos, options and folders. */
  command: unknown;
  /** No other command of this data folder is at work, so every journal is an interrupted one. */
  isAlone: boolean;
}

/** Opens the journal of an interrupted run of the same command, or begins one. */
export async function openBatchJournal(options: JournalOptions): Promise<BatchJournal> {
  const { folder, command } = options;
  const name = createHash('sha256').update(JSON.stringify(command)).digest('hex').slice(0, 32);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = path.join(folder, `${name}-${process.pid}.jsonl`);
  const former = await takeOver(options, name, own);
  const { batch, startedAt } = former?.head ?? { batch: randomUUID(), startedAt: Date.now() };
  if (former === undefined)
    writeFileSync(own, `${JSON.stringify({ batch, startedAt })}\n`, { mode: 0o600 });
  const lines = new Map<string, Former>();
  for (const { key, ...line } of former?.lines ?? [])
    lines.set(key, { ...lines.get(key), ...line });
  const append = (line: JournalLine) => appendFileSync(own, `${JSON.stringify(line)}\n`);
  return {
    resumedFrom: former && new Date(startedAt),
    formerTasks: [...lines.values()].flatMap(({ taskId }) => taskId ?? []),
    formerOf: async (picture) => lines.get(await keyOf(picture)),
    idempotencyKeyOf: async (picture) => `${batch}.${await keyOf(picture)}`,
    noteSubmitted: async (picture, taskId) => append({ key: await keyOf(picture), taskId }),
    noteSaved: async (picture, output) => append({ key: await keyOf(picture), output }),
    finish: () => rm(own, { force: true }),
  };
}

async function keyOf({ file }: BatchPicture): Promise<string> {
  const { size, mtimeMs } = await stat(file);
  return createHash('sha256').update([file, size, mtimeMs].join('\0')).digest('hex').slice(0, 32);
}

interface JournalText {
  head: Static<typeof Head>;
  lines: JournalLine[];
}

/** Makes the newest interrupted journal of this command its own, by a rename that only one command wins. */
async function takeOver(
  { folder, isAlone }: JournalOptions,
  name: string,
  own: string,
): Promise<JournalText | undefined> {
  let newest: JournalText | undefined;
  for (const file of await readdir(folder)) {
    const [, hash, pid] = /^([0-9a-f]{32})-(\d+)\.jsonl$/.exec(file) ?? [];
    // This command itself goes on after the service that it used has ended.
    const isOwn = Number(pid) === process.pid;
    const isDead = isAlone || isOwn || !isAlive(Number(pid));
    if (pid === undefined || !isDead) continue;
    const place = path.join(folder, file);
    const text = await readJournal(place);
    const isOld = text === undefined || Date.now() - text.head.startedAt > keptMs;
    if (isOld) await rm(place, { force: true });
    if (isOld || hash !== name) continue;
    if (newest !== undefined && newest.head.startedAt > text.head.startedAt) continue;
    const isTaken = await rename(place, own).then(
      () => true,
      () => false,
    );
    if (isTaken) newest = text;
  }
  return newest;
}

/** Reads a journal. A last line that a power cut tore off is left out; undefined for what is no journal. */
async function readJournal(file: string): Promise<JournalText | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [head, ...lines] = text.split('\n').map(parsed);
  if (!Value.Check(Head, head)) return undefined;
  return { head, lines: lines.filter((line) => Value.Check(JournalLine, line)) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
