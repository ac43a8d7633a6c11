import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine, type JobOptions } from '../../../support/engine.ts';
import {
  changesOf,
  hasExiftool,
  readBlock,
  readTags,
  withoutExiftool,
  writeTags,
} from '../../../support/exiftool.ts';
import { asSharp, photo } from '../../../support/images.ts';
import { exifWithMakerNote } from '../../../support/maker-note.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const formats = ['jpeg', 'png', 'webp', 'avif', 'tiff'] as const;
type Format = (typeof formats)[number];

const written = [
  '-EXIF:Make=Enlarger Works',
  '-EXIF:Model=Test One',
  '-EXIF:Artist=Jane Doe',
  '-EXIF:Copyright=(c) Jane Doe, Zürich',
  '-EXIF:ImageDescription=A photo',
  '-EXIF:Software=Darkroom 3',
  '-EXIF:DateTimeOriginal=2026:02:03 04:05:06',
  '-EXIF:OffsetTimeOriginal=+01:00',
  '-EXIF:ExposureTime=0.004',
  '-EXIF:FNumber=2.8',
  '-EXIF:ISO=400',
  '-EXIF:LensModel=Prime 35',
  '-EXIF:LensSerialNumber=L-123',
  '-EXIF:SerialNumber=B-456',
  '-EXIF:OwnerName=Jane Doe',
  '-EXIF:UserComment=A comment',
  '-EXIF:GPSLatitude=47.37',
  '-EXIF:GPSLatitudeRef=N',
  '-EXIF:GPSLongitude=8.54',
  '-EXIF:GPSLongitudeRef=E',
  '-EXIF:XResolution=240',
  '-EXIF:YResolution=240',
  '-EXIF:ResolutionUnit=2',
  '-EXIF:ExifImageWidth=60',
  '-EXIF:ExifImageHeight=40',
  '-XMP-dc:Title=Title',
  '-XMP-dc:Subject=one',
  '-XMP-dc:Subject=two',
  '-XMP-xmp:Rating=4',
  '-XMP-aux:SerialNumber=B-456',
  '-XMP-aux:OwnerName=Jane Doe',
  '-XMP-exif:GPSLatitude=47.37',
  '-XMP-iptcExt:LocationCreatedGPSLatitude=47.37',
  '-XMP-iptcExt:LocationCreatedCity=Zürich',
  '-XMP-tiff:Orientation=6',
  '-XMP-photoshop:City=Zürich',
];
const iptc = [
  '-IPTC:City=Zürich',
  '-IPTC:Keywords=one',
  '-IPTC:Keywords=two',
  '-IPTC:By-line=Jane',
];

const made = new Map<string, Promise<string>>();

/**
 * A picture of 60 x 40 pixels with the metadata of a camera and a photographer, turned to the right. It is made once.
 */
function tagged(format: Format, extra: string[] = []): Promise<string> {
  const key = [format, ...extra].join(' ');
  const file =
    made.get(key) ?? makeTagged(join(engine.dir, `${made.size}.${format}`), format, extra);
  made.set(key, file);
  return file;
}

async function makeTagged(path: string, format: Format, extra: string[]): Promise<string> {
  writeFileSync(path, await asSharp(photo(60, 40)).toFormat(format).toBuffer());
  const profile = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const thumbnail = join(engine.dir, 'thumbnail.jpg');
  writeFileSync(thumbnail, profile);
  const thumb = format === 'jpeg' ? [`-ThumbnailImage<=${thumbnail}`] : [];
  await writeTags(path, ...written, '-EXIF:Orientation=6', ...thumb, ...extra);
  return path;
}

const read = new Map<string, ReturnType<typeof readTags>>();

/** Of a source, which is read once. */
function tagsOf(path: string): ReturnType<typeof readTags> {
  const tags = read.get(path) ?? readTags(path);
  read.set(path, tags);
  return tags;
}

const enlarge = (sourcePath: string, wish: Partial<JobOptions> = {}) =>
  engine.run({ sourcePath, passes: [nearestNetwork(join(engine.dir, 'networks'))], ...wish });

/** These tags must change in a picture that was turned and enlarged. */
const renewed = [
  'ExifIFD:ExifImageHeight 40 -> 120',
  'ExifIFD:ExifImageWidth 60 -> 80',
  'IFD0:Orientation 6 -> 1',
  'XMP-tiff:Orientation 6 -> 1',
];
/** These tags stand in a TIFF's own directory and do not describe the photo. */
const layout =
  /^IFD0:(ImageWidth|ImageHeight|Compression|Strip|Predictor|RowsPer|Bits|Planar|Photometric|SamplesPer|SubfileType|Preview|YCbCr|JPEG|Tile|Reference|SampleFormat)/;

describe.skipIf(!hasExiftool)(
  `metadata, read by exiftool${hasExiftool ? '' : `: ${withoutExiftool}`}`,
  () => {
    for (const from of ['jpeg', 'png', 'webp', 'tiff'] as const) {
      it.each(formats)(`goes from ${from} to %s tag by tag`, async (to) => {
        const sourcePath = await tagged(from);
        const { outputPath, report } = await enlarge(sourcePath, {
          format: to,
          formatChosen: true,
        });
        const before = await tagsOf(sourcePath);
        expect(before).toMatchObject({ 'IFD0:Make': 'Enlarger Works', 'XMP-xmp:Rating': 4 });
        const changes = changesOf(before, await readTags(outputPath))
          .filter((line) => !layout.test(line) && !/^PNG:/.test(line))
          .sort();
        expect(changes).toEqual(renewed);
        expect(report.notes).toEqual([]);
      });
    }

    it('carries IPTC into JPEG, PNG and TIFF and says where it cannot', async () => {
      const sourcePath = await tagged('jpeg', iptc);
      for (const format of formats) {
        const { outputPath, report } = await enlarge(sourcePath, { format, formatChosen: true });
        const city = (await readTags(outputPath))['IPTC:City'];
        const canHold = format !== 'webp' && format !== 'avif';
        expect([format, city]).toEqual([format, canHold ? 'Zürich' : undefined]);
        expect(report.notes.some((note) => note.startsWith('The IPTC'))).toBe(!canHold);
      }
    });

    it.each(formats)('carries XMP that is too long for one JPEG segment into %s', async (to) => {
      const long = `${'A long description. '.repeat(6000)}End.`;
      const sourcePath = await tagged('jpeg', [`-XMP-dc:Description=${long}`]);
      const { outputPath } = await enlarge(sourcePath, { format: to, formatChosen: true });
      const again = await enlarge(outputPath, { format: 'jpeg', formatChosen: true });
      for (const path of [sourcePath, outputPath, again.outputPath]) {
        expect((await readTags(path))['XMP-dc:Description'] === long).toBe(true);
      }
    });

    it('carries the text of a PNG and the comment of a JPEG to their own kind', async () => {
      const png = await tagged('png', ['-PNG:Description=Zürich, am See', '-PNG:Author=Jane Doe']);
      const text = await readTags((await enlarge(png)).outputPath);
      expect(text).toMatchObject({ 'PNG:Description': 'Zürich, am See', 'PNG:Author': 'Jane Doe' });
      const jpeg = await tagged('jpeg', ['-Comment=A comment of the file']);
      const { outputPath } = await enlarge(jpeg);
      expect((await readBlock(outputPath, 'Comment')).toString()).toBe('A comment of the file');
    });

    it('says so where text and comments have no place', async () => {
      const png = await tagged('png', ['-PNG:Author=Jane Doe']);
      const jpeg = await tagged('jpeg', ['-Comment=A comment']);
      const notesOf = async (path: string, format: Format) =>
        (await enlarge(path, { format, formatChosen: true })).report.notes;
      expect(await notesOf(png, 'tiff')).toEqual([
        'The text of the PNG was left out: TIFF has no place for it.',
      ]);
      expect(await notesOf(jpeg, 'webp')).toEqual([
        "The JPEG's comment was left out: WebP has no place for it.",
      ]);
    });

    it('says that a place on a map, and a film, were left out', async () => {
      const tiff = await tagged('tiff', ['-PixelScale=1 1 0']);
      expect((await enlarge(tiff)).report.notes).toEqual([
        'Its place on a map (GeoTIFF) was left out: it holds for the old pixels only.',
      ]);
      const quiet = await enlarge(tiff, { metadata: 'private' });
      expect(quiet.report.notes).toEqual([]);
      const film =
        '<rdf:Description xmlns:c="http://ns.google.com/photos/1.0/camera/" c:MotionPhoto="1"/>';
      const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${film}</rdf:RDF></x:xmpmeta>`;
      const jpeg = join(engine.dir, 'film.jpg');
      writeFileSync(jpeg, await asSharp(photo(60, 40)).withXmp(xmp).jpeg().toBuffer());
      const { outputPath, report } = await enlarge(jpeg);
      expect(report.notes).toEqual(['Its film (a motion photo) was left out.']);
      expect((await readBlock(outputPath, 'XMP')).toString()).not.toContain('MotionPhoto');
    });

    it.each(formats)('removes the embedded thumbnail from %s', async (format) => {
      const sourcePath = await tagged('jpeg');
      expect((await readBlock(sourcePath, 'ThumbnailImage')).length).toBeGreaterThan(100);
      const { outputPath } = await enlarge(sourcePath, { format, formatChosen: true });
      expect((await readBlock(outputPath, 'ThumbnailImage')).length).toBe(0);
    });

    it.each(formats)('keeps the maker’s notes readable in %s', async (format) => {
      const sourcePath = join(engine.dir, 'noted.jpg');
      writeFileSync(sourcePath, await exifWithMakerNote());
      const { outputPath } = await enlarge(sourcePath, { format, formatChosen: true });
      expect(await readTags(sourcePath)).toMatchObject({
        'Canon:OwnerName': 'A person of some name',
      });
      expect(await readTags(outputPath)).toMatchObject({
        'Canon:OwnerName': 'A person of some name',
      });
    });

    it.each(formats)(
      'leaves place, serial numbers and owner out of a private %s',
      async (format) => {
        const sourcePath = await tagged('jpeg', iptc);
        const { outputPath } = await enlarge(sourcePath, {
          format,
          formatChosen: true,
          metadata: 'private',
        });
        const tags = await readTags(outputPath);
        expect(Object.keys(tags).filter((name) => /GPS|Serial|Owner/i.test(name))).toEqual([]);
        expect(tags).toMatchObject({ 'IFD0:Artist': 'Jane Doe', 'XMP-dc:Title': 'Title' });
      },
    );

    it.each(formats)(
      'leaves the maker’s notes, which name owners, out of a private %s',
      async (format) => {
        const sourcePath = join(engine.dir, 'noted-private.jpg');
        writeFileSync(sourcePath, await exifWithMakerNote());
        const wish = { format, formatChosen: true, metadata: 'private' } as const;
        const { outputPath } = await enlarge(sourcePath, wish);
        expect(
          Object.keys(await readTags(outputPath)).filter((name) => /Canon|Owner/.test(name)),
        ).toEqual([]);
        expect(readFileSync(outputPath).includes('A person of some name')).toBe(false);
      },
    );

    it.each(formats)('leaves everything out of a %s without metadata', async (format) => {
      const sourcePath = await tagged('jpeg', iptc);
      const { outputPath } = await enlarge(sourcePath, {
        format,
        formatChosen: true,
        metadata: 'none',
        history: 'Enlarger 9.9.9',
      });
      const rest = Object.keys(await readTags(outputPath)).filter(
        (name) => !layout.test(name) && !/^PNG:|Resolution|Orientation/.test(name),
      );
      expect(rest).toEqual([]);
    });

    it.each(formats)('names Enlarger, model and scale in %s', async (format) => {
      const sourcePath = await tagged('jpeg');
      const wish = { format, formatChosen: true, history: 'Enlarger 9.9.9' };
      const tags = await readTags((await enlarge(sourcePath, wish)).outputPath);
      expect(tags).toMatchObject({
        'IFD0:Software': 'Enlarger 9.9.9',
        'XMP-xmp:CreatorTool': 'Darkroom 3',
        'XMP-iptcExt:DigitalSourceType':
          'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced',
        'XMP-xmpMM:HistorySoftwareAgent': 'Enlarger 9.9.9',
        'XMP-xmpMM:HistoryParameters': expect.stringMatching(
          /^enlarged 2 times with nearest-x2; reduced to its source it differs by [0-9.]+ levels/,
        ) as unknown,
      });
    });
  },
);
