import { describe, expect, it } from 'vitest';
import { assertTemplate, defaultTemplate, extensionFor, nameOf } from '../../electron/cli/names.ts';

const fields = {
  name: 'sea',
  scale: '4',
  model: 'faithful',
  date: '2026-01-02',
  ext: 'jpg',
  n: '7',
};

describe('names of results', () => {
  it('fills every field of a template', () => {
    expect(nameOf(defaultTemplate, fields)).toBe('sea-4x.jpg');
    expect(nameOf('{n} {date} {model} {name}.{ext}', fields)).toBe('7 2026-01-02 faithful sea.jpg');
  });

  it('always ends with the ending of the format', () => {
    expect(nameOf('{name}', fields)).toBe('sea.jpg');
    expect(nameOf('{name} 1.5', fields)).toBe('sea 1.5.jpg');
    expect(nameOf('{name}.jpeg', fields)).toBe('sea.jpeg');
    expect(nameOf('{name}.PNG', { ...fields, ext: 'png' })).toBe('sea.PNG');
    expect(nameOf('{name}.png', fields)).toBe('sea.png.jpg');
  });

  it('leaves a brace in the name of a photo alone', () => {
    expect(nameOf(defaultTemplate, { ...fields, name: '{scale}' })).toBe('{scale}-4x.jpg');
  });

  it('refuses an unknown field and a path', () => {
    expect(() => assertTemplate('{size}.png')).toThrow('received {size}');
    expect(() => assertTemplate('../{name}.png')).toThrow('received a path');
  });

  it("keeps the source's spelling of its extension where the format is the same", () => {
    expect(extensionFor('jpeg', 'IMG_1.JPG')).toBe('JPG');
    expect(extensionFor('jpeg', 'a.jpeg')).toBe('jpeg');
    expect(extensionFor('tiff', 'a.jpg')).toBe('tif');
    expect(extensionFor('png', 'a.gif')).toBe('png');
  });
});
