import { describe, expect, it } from 'vitest';
import { isPictureName } from '../../electron/contract/formats.ts';
import { accepted } from '../../renderer/state/files.ts';
import { resultName } from '../../renderer/state/save.ts';

const picture = {
  format: 'jpeg',
  width: 4000,
  height: 3000,
  bitDepth: 8,
  channels: 3,
  sizeBytes: 1,
};
const planned = {
  model: 'faithful',
  format: 'same',
  formatChosen: false,
  bitDepth: 'same' as const,
  metadata: 'keep',
};

describe('files of the page', () => {
  it('takes pictures out of a folder and leaves the rest', () => {
    const names = ['a.jpg', 'B.JPEG', 'c.tif', 'd.NEF', 'e.txt', '.f.jpg', 'jpg', 'g.xmp'];
    expect(names.filter(isPictureName)).toEqual(['a.jpg', 'B.JPEG', 'c.tif', 'd.NEF']);
  });

  it('offers every kind of picture in the dialog for files', () => {
    for (const ending of ['.jxl', '.heic', '.cr3', '.tif'])
      expect(accepted.split(',')).toContain(ending);
  });

  it('names a result after its source, scale and format', () => {
    const photo = (name: string, format: string, asked: object = {}) => ({
      name,
      record: {
        operation: 'upscale' as const,
        options: { ...planned, ...asked },
        input: { ...picture, width: 3000 },
        output: { ...picture, format },
        createdAt: '2026-11-22T00:00:00.000Z',
      },
    });
    expect(resultName(photo('sea.view.png', 'jpeg', { scale: 4 }))).toBe('sea.view-4x.jpg');
    expect(resultName(photo('sea', 'tiff', { scale: 4 }))).toBe('sea-4x.tif');
    expect(resultName(photo('sea.JPG', 'jpeg'))).toBe('sea-1.33x.JPG');
    expect(resultName(photo('sea.jpg', 'webp', { name: '{date} {name}' }))).toBe(
      '2026-11-22 sea.webp',
    );
    const cut = { ...photo('sea.jpg', 'png').record, operation: 'remove-bg' as const };
    expect(resultName({ name: 'sea.jpg', record: cut })).toBe('sea-cutout.png');
  });
});
