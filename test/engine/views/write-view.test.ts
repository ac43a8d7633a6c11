import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { writeUntilWhole } from '../../../electron/engine/views/write-view.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const names = ['tiles_files/10/0_1.jpeg', 'tiles_files/10/1_0.jpeg'] as const;

const writeTiles = (path: string) =>
  sharp({ create: { width: 900, height: 700, channels: 3, background: '#a50' } })
    .jpeg()
    .tile({ size: 512, container: 'zip', basename: 'tiles' })
    .toFile(path);

/** Two tiles have changed places in the directory, as by a race of the threads that write them. */
async function writeSwapped(path: string): Promise<void> {
  await writeTiles(path);
  const bytes = readFileSync(path);
  const [one, other] = names.map((name) => bytes.lastIndexOf(name)) as [number, number];
  bytes.write(names[1], one);
  bytes.write(names[0], other);
  writeFileSync(path, bytes);
}

it('writes tiles again whose directory does not fit them, and gives up in the end', async () => {
  const path = join(temporaryFolder(), 'tiles.zip');
  let writes = 0;
  await writeUntilWhole(path, (to) => ((writes += 1) === 1 ? writeSwapped(to) : writeTiles(to)));
  expect(writes).toBe(2);
  await expect(writeUntilWhole(path, writeSwapped)).rejects.toThrow(/0_1\.jpeg is damaged/);
});

it('takes tiles as they come, however many threads write them', async () => {
  const path = join(temporaryFolder(), 'tiles.zip');
  let writes = 0;
  await writeUntilWhole(path, (to) => {
    writes += 1;
    return writeTiles(to);
  });
  expect(writes).toBe(1);
});
