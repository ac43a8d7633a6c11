import { describe, expect, it } from 'vitest';
import { decodeDataUrl } from '../../../electron/service/sources/data-url.ts';
import { parseImageUrl } from '../../../electron/service/sources/image-url.ts';
import { plainName } from '../../../electron/service/sources/uploads.ts';

const kept = '00000000-0000-4000-8000-000000000000';
const context = { port: 8617, hasUpload: (id: string) => id === kept };
const parse = (url: string, windows?: boolean) =>
  parseImageUrl(url, { ...context, ...(windows !== undefined && { windows }) });

describe('an imageUrl', () => {
  it('is an address to fetch for http and https', () => {
    expect(parse('http://a.example/b.jpg?c=d')).toEqual({
      kind: 'url',
      url: 'http://a.example/b.jpg?c=d',
    });
    expect(parse(' HTTPS://A.example/ä ')).toEqual({
      kind: 'url',
      url: 'https://a.example/%C3%A4',
    });
  });

  it('is an upload by its id on any port and name of this machine', () => {
    for (const host of ['127.0.0.1:8617', 'localhost', '[::1]:99', '127.0.0.2:5'])
      expect(parse(`http://${host}/api/uploads/${kept}`)).toEqual({
        kind: 'upload',
        uploadId: kept,
      });
  });

  it('is an error for an upload of this service that is gone, and an address elsewhere', () => {
    expect(() => parse('http://127.0.0.1:8617/api/uploads/gone')).toThrow(/still kept/);
    expect(parse('http://127.0.0.1:3000/api/uploads/gone').kind).toBe('url');
    expect(parse(`http://a.example/api/uploads/${kept}`).kind).toBe('url');
  });

  it('is no file: URL with # or ? unless they are encoded', () => {
    expect(parse('file:///home/me/%231%3F.jpg', false)).toEqual({
      kind: 'file',
      path: '/home/me/#1?.jpg',
    });
    for (const url of ['file:///home/me/#1.jpg', 'file:///home/me/a.jpg?b'])
      expect(() => parse(url, false)).toThrow(/# or \?: in a path they are %23 and %3F/);
  });

  it('is a path for file:, in the form of the system', () => {
    expect(parse('file:///home/me/a%20b.jpg', false)).toEqual({
      kind: 'file',
      path: '/home/me/a b.jpg',
    });
    expect(parse('file://localhost/a.jpg', false)).toEqual({ kind: 'file', path: '/a.jpg' });
    expect(parse('file:///C:/Users/me/a.jpg', true)).toEqual({
      kind: 'file',
      path: 'C:\\Users\\me\\a.jpg',
    });
    expect(parse('file://nas/photos/a%20b.jpg', true)).toEqual({
      kind: 'file',
      path: '\\\\nas\\photos\\a b.jpg',
    });
  });

  it('is refused for paths that are none or lie on another machine', () => {
    const refused: [string, boolean][] = [
      ['file://server/share/a.jpg', false],
      ['file:///a%2Fb.jpg', false],
      ['file:///C:/a%5Cb.jpg', true],
      ['file:///no-drive/a.jpg', true],
      ['file:///a%00.jpg', false],
      ['file:///a%zz.jpg', false],
    ];
    for (const [url, windows] of refused)
      expect(() => parse(url, windows), url).toThrow(/Expected imageUrl to be/);
  });

  it('is refused for other schemes and for what is no URL', () => {
    for (const url of [
      '',
      'a.jpg',
      'C:\\a.jpg',
      'ftp://a/b',
      'blob:http://a/b',
      'about:blank',
      'http:',
    ])
      expect(() => parse(url), url).toThrow(/Expected imageUrl to be/);
    expect(() => parse(`http://a.example/${'x'.repeat(20_000)}`)).toThrow(/longer than/);
  });
});

describe('a data: URL', () => {
  it('holds bytes as base64 or percent-encoded, whatever type it names', () => {
    const forms: [string, string][] = [
      ['data:image/png;base64,aGVsbG8=', 'hello'],
      ['data:;base64,aGVsbG8', 'hello'],
      ['DATA:text/plain;charset=utf-8;BASE64,aGVs\n bG8=', 'hello'],
      ['data:image/png;base64,aGVsbG8%3D', 'hello'],
      ['data:,a%20b%ff', 'a b\xff'],
    ];
    for (const [url, text] of forms) expect(decodeDataUrl(url).toString('latin1')).toBe(text);
  });

  it('is refused when it holds nothing or something else', () => {
    for (const url of [
      'data:',
      'data:,',
      'data:;base64,',
      'data:;base64,a*b',
      'data:,%',
      'data:,%g1',
    ])
      expect(() => decodeDataUrl(url), url).toThrow(/Expected imageUrl to be a data: URL/);
  });
});

describe("an upload's name", () => {
  it('is its last part, without control characters', () => {
    expect(plainName('../../etc/a.jpg')).toBe('a.jpg');
    expect(plainName('C:\\x\\b.png')).toBe('b.png');
    expect(plainName('a\r\nb\0.jpg')).toBe('ab.jpg');
    for (const name of ['', '..', '/', ' ']) expect(plainName(name)).toBe('upload');
  });
});
