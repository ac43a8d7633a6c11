/**
 * `enlarger edit-in FILE` is the round trip of another program. It works on a copy and puts the result in the
 * file's place in one step, with its name, format, depth, profile and metadata; the original is kept beside
 * it.
 */
import { chmod, mkdtemp, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isFileProblem } from '../../../files/src/file-errors.ts';
import { fileReason } from '../error-message.ts';
import { linkOrCopy } from '../../../files/src/exclusive-name.ts';
import { syncFolder } from '../../../files/src/sync.ts';
import { t } from '../text.ts';

interface EditOptions {
  /** The original stays beside the result, under a name of its own. */
  keepsOriginal: boolean;
}

/**
 * Edits a file in its place, and returns the exit code of `make`. For a link it edits the file that the link
 * leads to, and the link stays. Whatever happens before the last step, the file is as it was. It throws an
 * error whose message is a sentence.
 *
 * @param make writes the file's result under the file's own name into the folder, and returns an exit code
 */
export async function editInPlace(
  named: string,
  { keepsOriginal }: EditOptions,
  make: (folder: string, file: string) => Promise<number>,
): Promise<number> {
  try {
    const file = await realpath(named);
    const place = path.dirname(file);
    const before = await stat(file);
    if (!before.isFile())
      throw new Error(t('Expected a file but {file} is none.', { file: named }));
    const folder = await mkdtemp(path.join(place, '.enlarger-edit-'));
    try {
      const code = await make(folder, file);
      if (code !== 0) return code;
      const made = await resultIn(folder, file);
      await chmod(made, before.mode);
      await assertUnchanged(file, before);
      if (keepsOriginal) await keepAside(file);
      await rename(made, file);
      await syncFolder(place);
      return 0;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    if (!isFileProblem(error)) throw error;
    throw new Error(
      t('{file} cannot be edited in its place: {reason}', {
        file: named,
        reason: fileReason(error),
      }),
      {
        cause: error,
      },
    );
  }
}

async function resultIn(folder: string, file: string): Promise<string> {
  const wanted = path.basename(file);
  const names = await readdir(folder);
  if (names.includes(wanted)) return path.join(folder, wanted);
  throw new Error(
    t(
      'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.',
      { file: wanted, result: names.join(', ') || t('none') },
    ),
  );
}

/** Throws when another program saved the file meanwhile, so that its work is not overwritten. */
async function assertUnchanged(
  file: string,
  before: { mtimeMs: number; size: number },
): Promise<void> {
  const now = await stat(file);
  if (now.mtimeMs === before.mtimeMs && now.size === before.size) return;
  throw new Error(
    t('{file} was changed by another program meanwhile, so it was left as it is.', { file }),
  );
}

const maxTries = 10_000;

async function keepAside(file: string): Promise<void> {
  const { dir, name, ext } = path.parse(file);
  for (let n = 1; n <= maxTries; n++)
    if (await linkOrCopy(file, path.join(dir, `${name}-original${n === 1 ? '' : ` (${n})`}${ext}`)))
      return;
  throw new Error(
    t('{count} originals of {file} are kept already; remove some.', { count: maxTries, file }),
  );
}
