import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listPictures } from '../../../packages/files/src/pictures-below.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the pictures of a folder', () => {
  const folder = temporaryFolder();
  const put = (...names: string[]) => {
    for (const name of names) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), '');
    }
  };

  it('have all endings that are read, and what is passed over is told', async () => {
    const pictures =
      'a.hif b.jfif c.JIF d.pjpeg e.mpo f.avifs g.apng h.nrw i.pef j.3fr k.iiq l.x3f'.split(' ');
    put(...pictures, 'notes.txt', 'film.MOV');
    const others: string[] = [];
    const found = await listPictures(folder, { onOther: (at) => others.push(path.basename(at)) });
    expect(found.map((file) => path.basename(file))).toEqual(pictures);
    expect(others.sort()).toEqual(['film.MOV', 'notes.txt']);
  });

  it('are not those of NAS systems, recycle bins and catalogues', async () => {
    const systems = [
      '@eaDir',
      '#recycle',
      '@Recycle',
      '$RECYCLE.BIN',
      '.Trashes',
      '.thumbnails',
      'Catalog Previews.lrdata',
    ];
    put(...systems.map((name) => `photos/${name}/SYNOFILE_THUMB_M.jpg`), 'photos/eaDir/kept.jpg');
    const found = await listPictures(path.join(folder, 'photos'));
    expect(found.map((file) => path.relative(folder, file))).toEqual(['photos/eaDir/kept.jpg']);
  });
});
