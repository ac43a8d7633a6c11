/** A disk that fills while a picture is enlarged, at every step that is told: STORAGE_FULL, or it was done. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { orStorageFull } from '../../../electron/engine/raster/disk.ts';
import { sharedTestEngine, cutoutIn, jobIn } from '../../support/engine.ts';
import { empty, fill } from '../../support/filling.ts';
import { asSharp } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { brightNetwork } from '../../support/networks-masks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { subjectPhoto } from '../../support/subjects.ts';

const box = { x: 50, y: 30, width: 60, height: 45 };

function viewsIn(folder: string) {
  const at = (name: string) => path.join(folder, name);
  return {
    sourceThumbPath: at('source-thumb'),
    sourceTilesPath: at('source-tiles'),
    resultTilesPath: at('result-tiles'),
    changesPath: at('changes'),
    maskPath: at('mask'),
    metadataPath: at('metadata'),
  };
}

it('is told as a full disk at each of its steps, and the next picture is made', async (context) => {
  const disk = smallDisk(16);
  if (disk === undefined) return context.skip('nothing can be mounted here');
  const engine = sharedTestEngine();
  onTestFinished(() => engine.close());
  const networks = temporaryFolder();
  const sourcePath = path.join(networks, 'photo.png');
  writeFileSync(
    sourcePath,
    await asSharp(subjectPhoto(160, 120, box))
      .png()
      .toBuffer(),
  );
  const enlarging = { sourcePath, passes: [nearestNetwork(networks)] };
  const cutting = {
    sourcePath,
    network: brightNetwork(networks, { size: { kind: 'fixed', width: 160, height: 120 } }),
  };
  const makers = [
    (folder: string) => jobIn(folder, { ...enlarging, views: viewsIn(folder) }),
    (folder: string) => cutoutIn(folder, { ...cutting, views: viewsIn(folder) }),
  ];
  const ends: string[] = [];
  for (const make of makers)
    for (let at = 0; at <= 10; at += 1) {
      const folder = path.join(disk, 'job');
      mkdirSync(folder);
      let seen = 0;
      const onProgress = () => {
        if (at > 0 && (seen += 1) === at) fill(disk);
      };
      const signal = new AbortController().signal;
      const end = await engine.host.run(make(folder), { signal, onProgress }).then(
        () => 'done',
        (thrown: unknown) => (thrown instanceof EnlargerError ? thrown.code : String(thrown)),
      );
      ends.push(end);
      empty(disk);
      // A thumbnail may be written still when the result could not be.
      rmSync(folder, { recursive: true, maxRetries: 5 });
      if (at === 0) expect(end).toBe('done');
    }
  expect(ends.filter((end) => end !== 'done' && end !== 'STORAGE_FULL')).toEqual([]);
  expect(ends.filter((end) => end === 'STORAGE_FULL').length).toBeGreaterThan(4);
});

it('is seen in what libraries say, and where nothing is left', async (context) => {
  const scratchDir = temporaryFolder();
  const places = { scratchDir, outputPath: path.join(scratchDir, 'result') };
  const codeOf = async (thrown: unknown, at = places) => {
    const failure = await orStorageFull(thrown, at);
    return failure instanceof EnlargerError ? failure.code : failure;
  };
  const coded = Object.assign(new Error('write'), { code: 'ENOSPC' });
  for (const said of [
    coded,
    new Error('It could not be made.', { cause: coded }),
    new Error('unable to write to target /a: system error: No space left on device'),
  ])
    expect(await codeOf(said)).toBe('STORAGE_FULL');
  const other = new Error('It is something else.');
  expect(await codeOf(other)).toBe(other);
  expect(await codeOf(new EnlargerError('CANCELLED', 'It was cancelled.'))).toBe('CANCELLED');
  const disk = smallDisk(8);
  if (disk === undefined) return context.skip('nothing can be mounted here');
  fill(disk);
  expect(await codeOf(other, { ...places, outputPath: path.join(disk, 'result') })).toBe(
    'STORAGE_FULL',
  );
});
