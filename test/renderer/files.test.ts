import { describe, expect, it } from 'vitest';
import { isPictureName } from '../../electron/contract/picture-names.ts';
import { accepted } from '../../renderer/state/files.ts';
import { resultName } from '../../renderer/state/save.ts';

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
    const photo = (name: string, format: string) => ({
      name,
      record: { output: { format }, options: { scale: 4 } },
    });
    expect(resultName(photo('sea.view.png', 'jpeg'))).toBe('sea.view-4x.jpg');
    expect(resultName(photo('sea', 'tiff'))).toBe('sea-4x.tif');
    const cut = { output: { format: 'png' }, operation: 'remove-bg', options: {} };
    expect(resultName({ name: 'sea.jpg', record: cut })).toBe('sea-cutout.png');
  });
});
