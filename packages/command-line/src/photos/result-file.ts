/** Decides what `--out` means: a folder, one file, or standard output; and reads a photo from standard input. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError } from 'commander';
import { hasCode } from '../../../files/src/file-errors.ts';
import {
  formatOfEnding,
  isOutputFormat,
  outputFormats,
  formats,
} from '../../../contract/src/formats.ts';
import { endingOf } from '../../../contract/src/naming.ts';
import type { PhotoCommand } from './photo-commands.ts';
import { fileReason } from '../error-message.ts';
import { assertBackground } from './photo-options.ts';
import type { ProcessOptions } from './result-target.ts';
import { t } from '../text.ts';

/** Stands for standard input among the photos, and for standard output behind --out. */
export const standardStream = '-';

export type OutputKind = 'folder' | 'file' | 'stdout';

/**
 * A photo from standard input goes to standard output unless --out names another place. An ending of a picture
 * means a file, where no folder has that name.
 *
 * @throws InvalidArgumentError for a picture format that is read but not written
 */
export async function destinationOf({
  names,
  out,
}: Pick<PhotoCommand, 'names' | 'out'>): Promise<OutputKind> {
  if (out === undefined) return names.includes(standardStream) ? 'stdout' : 'folder';
  if (out === standardStream) return 'stdout';
  const format = formatOfEnding(endingOf(out));
  if (format === undefined || (await isThere(out, 'folder'))) return 'folder';
  if (isOutputFormat(format)) return 'file';
  throw new InvalidArgumentError(
    t('--out: no result is written as {ending}; there are {endings}.', {
      ending: endingOf(out),
      endings: writtenEndings.join(', '),
    }),
  );
}

const writtenEndings = outputFormats.map((format) => formats[format].endings[0]);

/**
 * Refuses words that cannot be meant together, before anything runs.
 *
 * @throws InvalidArgumentError
 */
export async function assertDestination(
  command: Pick<PhotoCommand, 'names' | 'out' | 'json' | 'hasOwnName'>,
  destination: OutputKind,
): Promise<void> {
  const { names, json, hasOwnName } = command;
  if (names.includes(standardStream) && names.length > 1)
    throw new InvalidArgumentError(t('Expected - alone, because standard input is one photo.'));
  if (names.includes(standardStream) && process.stdin.isTTY)
    throw new InvalidArgumentError(t('Expected a photo on standard input, as in - < photo.jpg.'));
  if (destination === 'stdout' && json)
    throw new InvalidArgumentError(
      t('Expected --json or the result on standard output, not both.'),
    );
  if (destination === 'stdout' && process.stdout.isTTY)
    throw new InvalidArgumentError(
      t('Expected --out, a pipe or > for the result, not a terminal.'),
    );
  if (destination === 'file' && hasOwnName)
    throw new InvalidArgumentError(t('Expected --name or a file behind --out, not both.'));
  await assertNoResultAmong(names);
}

/** Two names of which the second is missing are most likely a photo and its result, as other programs take it. */
async function assertNoResultAmong(names: readonly string[]): Promise<void> {
  const [photo = '', second = '', ...more] = names;
  const format = formatOfEnding(endingOf(second));
  if (more.length > 0 || format === undefined || !isOutputFormat(format)) return;
  if (!(await isThere(photo, 'file')) || (await isThere(second, 'any'))) return;
  throw new InvalidArgumentError(
    t('There is no file {file}. If the result is to be called so: --out {file}.', { file: second }),
  );
}

async function isThere(name: string, kind: 'file' | 'folder' | 'any'): Promise<boolean> {
  const found = await stat(name).catch(() => undefined);
  if (found === undefined) return false;
  return kind === 'any' || (kind === 'file' ? found.isFile() : found.isDirectory());
}

/**
 * Makes the options of a result that gets the name of a file.
 *
 * @throws InvalidArgumentError for several pictures, and for a format that the ending contradicts
 */
export function optionsForFile(
  options: ProcessOptions,
  file: string,
  pictureCount: number,
): ProcessOptions {
  if (pictureCount > 1)
    throw new InvalidArgumentError(
      t('Expected a folder behind --out for {count} pictures but received {file}.', {
        count: pictureCount,
        file,
      }),
    );
  const format = formatOfEnding(endingOf(file)) ?? '';
  if (!isOutputFormat(format)) return options;
  const { work } = options;
  const { format: named = format } = work.body;
  if (named !== format && named !== 'same')
    throw new InvalidArgumentError(
      t('Expected one format, but --format is {format} and --out ends in {ending}.', {
        format: named,
        ending: endingOf(file),
      }),
    );
  if (work.operation === 'remove-bg') assertBackground({ ...work.body, format });
  return {
    ...options,
    work:
      work.operation === 'upscale'
        ? { ...work, body: { ...work.body, format } }
        : { ...work, body: { ...work.body, format } },
    outDir: path.dirname(path.resolve(file)),
    nameTemplate: path.basename(file),
  };
}

/** Runs `use` with a folder that only this person can read, and removes it. */
export async function inOwnFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'enlarger-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes standard input into a file of the folder, and returns its path. */
export async function savedInput(folder: string): Promise<string> {
  const file = path.join(folder, 'stdin');
  await pipeline(process.stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  return file;
}

/** Writes the one file of the folder to standard output. @throws Error a sentence */
export async function printFileIn(folder: string): Promise<void> {
  const [name] = await readdir(folder);
  if (name === undefined) return;
  try {
    await pipeline(createReadStream(path.join(folder, name)), process.stdout, { end: false });
  } catch (cause) {
    const message = hasCode(cause, ['EPIPE'])
      ? t('The reader of the output is gone.')
      : t('The result cannot be written to standard output: {reason}', {
          reason: fileReason(cause),
        });
    throw new Error(message, { cause });
  }
}
