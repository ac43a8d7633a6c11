/** A granted file that goes away, or becomes a link, between being found and being looked at. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { assertGrantedFile } from '../../../packages/files/src/granted.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('is refused with a sentence, and is no fault of ours', async () => {
  const folder = temporaryFolder();
  const [inside, away] = [path.join(folder, 'swap'), path.join(folder, 'away')];
  await mkdir(inside);
  await writeFile(path.join(inside, 'a.png'), 'inside');
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const swapping = (async () => {
    while (!isOver()) {
      await rename(inside, away);
      await symlink('/nowhere', inside);
      await rm(inside);
      await rename(away, inside);
    }
  })();
  const other: unknown[] = [];
  for (let i = 0; i < 1000; i += 1)
    await assertGrantedFile(path.join(inside, 'a.png'), [folder]).catch((thrown: unknown) => {
      if (!(thrown instanceof EnlargerError)) other.push(thrown);
    });
  over.abort();
  await swapping;
  expect(other).toEqual([]);
});
