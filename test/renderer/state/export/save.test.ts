import { describe, expect, it } from 'vitest';
import { archiveNames, pickFolder, resultName } from '../../../../renderer/state/export/save.ts';

describe('the name of a result that is saved from the page', () => {
  const output = {
    format: 'jpeg',
    width: 200,
    height: 100,
    channels: 3 as const,
    bitDepth: 8 as const,
    sizeBytes: 1000,
  };
  const photo = (name?: string, format = 'jpeg') => ({
    name: 'IMG_0425.jpg',
    record: {
      operation: 'remove-bg' as const,
      createdAt: '2026-11-26T00:00:00Z',
      options: {
        model: 'cutout',
        format: 'jpeg' as const,
        formatChosen: true,
        bitDepth: 'same' as const,
        metadata: 'keep' as const,
        ...(name !== undefined && { name }),
      },
      output: { ...output, format },
    },
  });

  it('is by the template of its task, also in another format', () => {
    expect(resultName(photo())).toBe('IMG_0425-cutout.jpg');
    expect(resultName(photo('shop-{name}'))).toBe('shop-IMG_0425.jpg');
    expect(resultName(photo('shop-{name}', 'webp'))).toBe('shop-IMG_0425.webp');
  });

  it('counts where the name is taken', () => {
    expect(resultName(photo('shop-{name}'), 2)).toBe('shop-IMG_0425 (2).jpg');
    expect(resultName(photo('shop-{n}'), 2)).toBe('shop-2.jpg');
  });

  it('is numbered in an archive where another one has it, also in another case', () => {
    const other = { ...photo(), name: 'img_0425.png' };
    expect(archiveNames([photo(), other, photo('shop-{name}')])).toEqual([
      'IMG_0425-cutout.jpg',
      'img_0425-cutout (2).jpg',
      'shop-IMG_0425.jpg',
    ]);
  });

  it('is by the template that was set since, or by the usual one again', () => {
    expect(resultName({ ...photo('shop-{name}'), lateName: 'web-{name}' })).toBe(
      'web-IMG_0425.jpg',
    );
    expect(resultName({ ...photo('shop-{name}'), lateName: '' })).toBe('IMG_0425-cutout.jpg');
  });
});

describe('the dialog for a folder', () => {
  const failing = (name: string) => ({
    showDirectoryPicker: () => Promise.reject(new DOMException('', name)),
  });

  it('is closed without one, which is not the same as a browser that shows none', async () => {
    expect(await pickFolder(failing('AbortError'))).toBe('closed');
    expect(await pickFolder(failing('SecurityError'))).toBeUndefined();
    expect(await pickFolder({})).toBeUndefined();
  });
});
