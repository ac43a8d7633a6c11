import { describe, expect, it } from 'vitest';
import { describeExif } from '../../../../packages/photo-files/src/metadata/exif/describe-exif.ts';
import { describeIptc } from '../../../../packages/photo-files/src/metadata/describe.ts';
import type { ExifEntry } from '../../../../packages/file-records/src/tiff/entry.ts';
import {
  shortEntry,
  textEntry,
  type ExifModel,
} from '../../../../packages/photo-files/src/metadata/exif/exif-model.ts';
import { Xmp } from '../../../../packages/photo-files/src/metadata/xmp/xmp.ts';

function rationals(tag: number, ...values: [number, number][]): ExifEntry {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [i, [over, under]] of values.entries()) {
    bytes.writeUInt32LE(over, 8 * i);
    bytes.writeUInt32LE(under, 8 * i + 4);
  }
  return { tag, type: 5, count: values.length, bytes };
}

const nothing: ExifModel = { image: [], photo: [], gps: [], interop: [], littleEndian: true };

function valueOf(model: Partial<ExifModel>, name: string) {
  return describeExif({ ...nothing, ...model }).find((field) => field.name === name)?.value;
}

describe('EXIF in words', () => {
  it.each([
    ['ExposureTime', rationals(0x829a, [10, 2500]), '1/250 s'],
    ['ExposureTime', rationals(0x829a, [25, 10]), '2.5 s'],
    ['FNumber', rationals(0x829d, [56, 10]), 'f/5.6'],
    ['FocalLength', rationals(0x920a, [50, 1]), '50 mm'],
    ['ExposureProgram', shortEntry(0x8822, [3], true), 'aperture priority'],
    ['Flash', shortEntry(0x9209, [16], true), 'not fired'],
    ['DateTimeOriginal', textEntry(0x9003, '2024:05:01 12:00:00'), '2024-05-01 12:00:00'],
    [
      'LensSpecification',
      rationals(0xa432, [24, 1], [70, 1], [28, 10], [28, 10]),
      '24-70 mm f/2.8',
    ],
    ['0xfff0', shortEntry(0xfff0, [1, 2], true), '1, 2'],
  ])('tells %s', (name, entry, value) => {
    expect(valueOf({ photo: [entry] }, name)).toBe(value);
  });

  it('tells a place in degrees with its hemisphere', () => {
    const gps = [
      textEntry(0x01, 'S'),
      rationals(0x02, [33, 1], [51, 1], [3600, 100]),
      { tag: 0x05, type: 1, count: 1, bytes: Buffer.of(1) },
      rationals(0x06, [12, 1]),
    ];
    expect(valueOf({ gps }, 'GPSLatitude')).toBe('33.86° S');
    expect(valueOf({ gps }, 'GPSAltitude')).toBe('-12 m');
    expect(valueOf({ gps }, 'GPSLatitudeRef')).toBeUndefined();
  });
});

describe('IPTC in words', () => {
  it('joins what is repeated and reads both encodings', () => {
    const record = (dataset: number, value: Buffer) => {
      const head = Buffer.from([0x1c, 2, dataset, 0, 0]);
      head.writeUInt16BE(value.length, 3);
      return Buffer.concat([head, value]);
    };
    const data = Buffer.concat([
      record(25, Buffer.from('sea')),
      record(25, Buffer.from('Küste')),
      record(90, Buffer.from('Köln', 'latin1')),
      record(90, Buffer.alloc(3)).subarray(0, 4),
    ]);
    expect(describeIptc(data)).toEqual([
      { name: 'Keywords', value: 'sea; Küste' },
      { name: 'City', value: 'Köln' },
    ]);
  });
});

describe('XMP in words', () => {
  it('tells simple properties, lists and structures', () => {
    const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#" xmp:Rating="4">
        <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>sky</rdf:li></rdf:Bag></dc:subject>
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Beach</rdf:li></rdf:Alt></dc:title>
        <xmpMM:History><rdf:Seq><rdf:li rdf:parseType="Resource"><stEvt:action>saved</stEvt:action><stEvt:when>2024</stEvt:when></rdf:li>
          <rdf:li stEvt:action="derived"/></rdf:Seq></xmpMM:History>
      </rdf:Description></rdf:RDF></x:xmpmeta>`;
    expect(Xmp.read(Buffer.from(packet))?.describe()).toEqual([
      { name: 'xmp:Rating', value: '4' },
      { name: 'dc:subject', value: 'sea; sky' },
      { name: 'dc:title', value: 'Beach' },
      { name: 'xmpMM:History', value: 'action: saved, when: 2024; action: derived' },
    ]);
  });
});
