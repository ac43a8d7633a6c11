import { describe, expect, it } from 'vitest';
import { isPictureName } from '../../../../packages/contract/src/formats.ts';
import { accepted, filesOfDialog } from '../../../../renderer/state/queue/files.ts';
import { resultName } from '../../../../renderer/state/export/save.ts';

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
  bitDepth: 'same',
  metadata: 'keep',
} as const;

describe('files of the page', () => {
  it('takes pictures out of a folder and leaves the rest', () => {
    const names = ['a.jpg', 'B.JPEG', 'c.tif', 'd.NEF', 'e.txt', '.f.jpg', 'jpg', 'g.xmp'];
    expect(names.filter(isPictureName)).toEqual(['a.jpg', 'B.JPEG', 'c.tif', 'd.NEF']);
  });

  it('offers every kind of picture in the dialog for files', () => {
    for (const ending of ['.jxl', '.heic', '.cr3', '.tif'])
      expect(accepted.split(',')).toContain(ending);
  });

  it('leaves out of a folder what Enlarger made, and counts it; a file by itself is taken', async () => {
    const inFolder = (way: string, bytes = 'x') => {
      const file = new File([bytes], way.slice(way.lastIndexOf('/') + 1));
      return Object.defineProperty(file, 'webkitRelativePath', { value: way });
    };
    const marked = '<rdf:li stEvt:softwareAgent="Enlarger 1.0.0"/>';
    const names = ['shots/a.jpg', 'shots/a-2x.jpg', 'shots/a-cutout.png', 'shots/day 2/a-2x.jpg'];
    const files = [...names.map((name) => inFolder(name)), inFolder('shots/renamed.jpg', marked)];
    const picked = await filesOfDialog(files);
    expect(picked.files.map(({ webkitRelativePath }) => webkitRelativePath)).toEqual([
      'shots/a.jpg',
      'shots/day 2/a-2x.jpg',
    ]);
    expect(picked.leftOut).toBe(3);
    const itself = Object.defineProperty(new File([marked], 'a-2x.jpg'), 'webkitRelativePath', {
      value: '',
    });
    expect(await filesOfDialog([itself])).toEqual({ files: [itself], leftOut: 0 });
  });

  it('leaves out what accompanies a photo that is picked with it, and takes any other file', async () => {
    const accompanied = ['IMG_1.HEIC', 'IMG_1.MOV', 'img_1.aae', 'IMG_1.HEIC.xmp', 'DSC_2.NEF'];
    const alone = ['DSC_2.txt', 'IMG_3.MOV', 'README', 'holiday.zip'];
    const picked = await filesOfDialog(
      [...accompanied, ...alone].map((name) =>
        Object.defineProperty(new File(['x'], name), 'webkitRelativePath', { value: '' }),
      ),
    );
    expect(picked.files.map(({ name }) => name)).toEqual([
      'DSC_2.NEF',
      'DSC_2.txt',
      'holiday.zip',
      'IMG_1.HEIC',
      'IMG_3.MOV',
      'README',
    ]);
    expect(picked.leftOut).toBe(0);
  });

  it('takes files by their names as people count them, in whatever order a dialog gives them', async () => {
    const names = ['IMG_10.jpg', 'b.jpg', 'IMG_9.jpg', 'A.jpg'];
    const picked = await filesOfDialog(
      names.map((name) =>
        Object.defineProperty(new File(['x'], name), 'webkitRelativePath', { value: '' }),
      ),
    );
    expect(picked.files.map(({ name }) => name)).toEqual([
      'A.jpg',
      'b.jpg',
      'IMG_9.jpg',
      'IMG_10.jpg',
    ]);
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
