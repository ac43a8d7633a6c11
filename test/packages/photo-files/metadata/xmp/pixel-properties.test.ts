/** What counts pixels in XMP and EXIF follows the result, and what is private goes. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  isPixelList,
  scaledDewarping,
  scalingOf,
  scaledText,
} from '../../../../../packages/photo-files/src/metadata/xmp/pixel-properties.ts';
import { Xmp } from '../../../../../packages/photo-files/src/metadata/xmp/xmp.ts';
import { updateExif } from '../../../../../packages/photo-files/src/metadata/exif/edit-exif.ts';
import { readExifBlock } from '../../../../../packages/photo-files/src/metadata/exif/read-exif.ts';
import { writeExifBlock } from '../../../../../packages/photo-files/src/metadata/exif/write-exif.ts';
import type { ExifEntry } from '../../../../../packages/file-records/src/tiff/entry.ts';
import { sharedTestEngine } from '../../../../support/engine.ts';
import { hasExiftool, readTags, withoutExiftool } from '../../../../support/exiftool.ts';
import { nearestNetwork } from '../../../../support/networks-made.ts';
import { reports } from '../../../../support/shared.ts';

const packet = (body: string) =>
  Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/"
      xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
      xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
      xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
      xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/">${body}</rdf:RDF></x:xmpmeta>`,
  );
const facts = { width: 400, height: 300, scale: 2, turned: false };
function followed(body: string, turned = false): string {
  const xmp = Xmp.read(packet(`<rdf:Description rdf:about="" ${body}</rdf:Description>`));
  xmp?.scalePixels({ ...facts, turned });
  return xmp?.write().toString() ?? '';
}

describe('XMP of a result of twice the size', () => {
  it('has its panorama in its own pixels', () => {
    expect(followed('GPano:FullPanoWidthPixels="500" GPano:PoseHeadingDegrees="90">')).toMatch(
      /FullPanoWidthPixels="1000" GPano:PoseHeadingDegrees="90"/,
    );
  });

  it('has regions in pixels where they were, and shares as they were', () => {
    const region = (unit: string) =>
      `<rdf:li><rdf:Description><mwg-rs:Area stArea:x="0.5" stArea:w="0.25" stArea:unit="${unit}"/></rdf:Description></rdf:li>`;
    const text = followed(
      `><mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="200" stDim:h="150" stDim:unit="pixel"/>
       <mwg-rs:RegionList><rdf:Bag>${region('normalized')}${region('pixel')}</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>`,
    );
    expect(text).toContain('stDim:w="400" stDim:h="300"');
    expect(text).toContain('stArea:x="0.5" stArea:w="0.25" stArea:unit="normalized"');
    expect(text).toContain('stArea:x="1" stArea:w="0.5" stArea:unit="pixel"');
  });

  it('has the corners of an IPTC region in its own pixels', () => {
    const text = followed(
      `><ext:RegionBoundary rdf:parseType="Resource"><ext:rbUnit>pixel</ext:rbUnit><ext:rbVertices><rdf:Seq>
       <rdf:li rdf:parseType="Resource"><ext:rbX>10</ext:rbX></rdf:li></rdf:Seq></ext:rbVertices></ext:RegionBoundary>`,
    );
    expect(text).toContain('<ext:rbX>20</ext:rbX>');
  });

  it('has the sensor as densely covered', () => {
    expect(followed('exif:FocalPlaneXResolution="5000/3">')).toContain('"10000/3"');
  });

  it('has a crop of camera raw in pixels only where its units are pixels', () => {
    expect(followed('crs:CropUnits="0" crs:CropWidth="100" crs:CropTop="0.1">')).toContain(
      'crs:CropWidth="200" crs:CropTop="0.1"',
    );
    expect(followed('crs:CropUnits="1" crs:CropWidth="10">')).toContain('crs:CropWidth="10"');
  });

  it('loses the place of its subject where it was turned', () => {
    const subject = '><exif:SubjectArea><rdf:Seq><rdf:li>10</rdf:li></rdf:Seq></exif:SubjectArea>';
    expect(followed(subject)).toContain('<rdf:li>20</rdf:li>');
    expect(followed(subject, true)).not.toContain('SubjectArea');
  });
});

it("DJI's dewarping has its lengths in the result's pixels", () => {
  const text = '2022-06-08;3713.29,3713.29,7.02,-8.72,-0.1125,0.0149,0,0,-0.0277';
  expect(scaledDewarping(text, 2)).toBe(
    '2022-06-08;7426.58,7426.58,14.04,-17.44,-0.1125,0.0149,0,0,-0.0277',
  );
  expect(scaledDewarping('none', 2)).toBeUndefined();
  const xmp = Xmp.read(
    packet(
      `<rdf:Description rdf:about="" xmlns:dji="http://www.dji.com/drone-dji/1.0/" dji:DewarpData="${text}"/>`,
    ),
  );
  xmp?.scalePixels(facts);
  expect(xmp?.write().toString()).toContain('2022-06-08;7426.58');
});

it('numbers are scaled as they are written', () => {
  expect(['7', '7.5', '7/2', '1/3', 'x', ''].map((text) => scaledText(text, 1.5))).toEqual([
    '11',
    '11.25',
    '10500/2000',
    '1500/3000',
    undefined,
    undefined,
  ]);
});

interface ListedTag {
  table: string;
  id: string;
  name: string;
  type: string;
}

/** Every tag of a group that exiftool knows. */
function listedTags(group: 'XMP' | 'EXIF'): ListedTag[] {
  const list = execFileSync('exiftool', ['-listx', `-${group}:All`], {
    maxBuffer: 64 * 1024 * 1024,
  }).toString();
  return [...list.matchAll(/<table name='([^']+)'[^>]*>(.*?)<\/table>/gs)].flatMap(
    ([, table = '', body = '']) =>
      [...body.matchAll(/<tag id='([^']+)' name='([^']+)' type='([^']+)'/g)].map(
        ([, id = '', name = '', type = '']) => ({ table, id, name, type }),
      ),
  );
}

const mayCountPixels =
  /Pixel|Width|Height|Length|Left|Top|Right|Bottom|Rect|Crop|Area|Region|Dimension|Position|Cent(er|re)|Point|Location|Resol|Offset|Radius|Size|Origin|Corner|Extent|Coord|Bound|Border|Columns|Rows|Inset|Dewarp|FocalPlane|[a-z][XYWHD]$/;
const isNumeric = (type: string) => /^(integer|real|rational)$/.test(type);

/** Where the properties of exiftool's groups are in XMP: the name is its own unless it is a structure's field. */
const placesInXmp: readonly [table: string, id: RegExp, space: string, name?: string][] = [
  ['XMP::tiff', /^Image(Width|Length)$/, 'http://ns.adobe.com/tiff/1.0/'],
  ['XMP::exif', /^(Pixel[XY]Dim|FocalPlane[XY]|Subject)/, 'http://ns.adobe.com/exif/1.0/'],
  ['XMP::crs', /^Crop(Width|Height)$/, 'http://ns.adobe.com/camera-raw-settings/1.0/'],
  ['XMP::crd', /^Crop(Width|Height)$/, 'http://ns.adobe.com/camera-raw-defaults/1.0/'],
  ['XMP::GPano', /./, 'http://ns.google.com/photos/1.0/panorama/'],
  ['XMP::GSpherical', /./, 'http://ns.google.com/videos/1.0/spherical/'],
  ['XMP::GDepth', /^Image/, 'http://ns.google.com/photos/1.0/depthmap/'],
  ['XMP::aas', /^(Crop|Affine)[XYWH]$/, 'http://ns.apple.com/adjustment-settings/1.0/'],
  ['DJI::XMP', /^Calibrated/, 'http://www.dji.com/drone-dji/1.0/'],
  ...(['Width', 'Height'] as const).map(
    (side) =>
      [
        'XMP::Device',
        new RegExp(`ImagingModelImage${side}$`),
        'http://ns.google.com/photos/dd/1.0/imagingmodel/',
        `Image${side}`,
      ] as [string, RegExp, string, string],
  ),
  ...['x', 'y', 'w', 'h', 'd'].flatMap((field): [string, RegExp, string, string][] => {
    const area = 'http://ns.adobe.com/xmp/sType/Area#';
    const end = field.toUpperCase();
    return [
      ['MWG::Regions', new RegExp(`Area${end}$`), area, field],
      ['XMP::iptcExt', new RegExp(`OnScreenRegion${end}$`), area, field],
    ];
  }),
  ...['w', 'h'].flatMap((field): [string, RegExp, string, string][] => {
    const size = 'http://ns.adobe.com/xap/1.0/sType/Dimensions#';
    const end = field.toUpperCase();
    return [
      ['MWG::Regions', new RegExp(`AppliedToDimensions${end}$`), size, field],
      ['XMP::xmpTPg', new RegExp(`MaxPageSize${end}$`), size, field],
      ['XMP::xmpDM', new RegExp(`FrameSize${end}$`), size, field],
    ];
  }),
  ...['rbX', 'rbY', 'rbW', 'rbH', 'rbRx'].map(
    (field) =>
      [
        'XMP::iptcExt',
        new RegExp(`RegionBoundary(RbVertices)?R${field.slice(1)}$`),
        'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
        field,
      ] as [string, RegExp, string, string],
  ),
];

/** Numbers whose name alone speaks of pixels, and what they count. */
const countNoPixels: readonly [pattern: RegExp, what: string][] = [
  [/^XMP::cr[sd] .*(Corrections|Retouch|Masks)/, "shares of the picture's sides"],
  [/^XMP::cr[sd] Crop(Left|Top|Right|Bottom|Angle|Unit|Units|ConstrainToWarp)$/, 'shares, units'],
  [/^XMP::cr[sd] (Upright|Perspective|PostCrop|RangeMask|Lens|Look|Vignette)/, 'shares, settings'],
  [
    /^XMP::cr[sd] (Sharpen|Grain|NegativeCache|ToneCurve|Highlight|\w+(Red|Yellow|Gray))/,
    'settings',
  ],
  [/^XMP::Device .*(Pose|Plane|PointCloud|EarthPos|LightEstimate)/, 'metres, angles'],
  [/^XMP::Device .*(FocalLength|PrincipalPoint|AspectRatio)/, 'shares of the width and height'],
  [/^XMP::Device .*ItemLength$|MicroVideoOffset$/, 'bytes'],
  [/^XMP::GFocus/, "shares of the picture's sides"],
  [/^XMP::exif (OECF|CFA|SpatialFrequency|DeviceSetting)/, 'tables'],
  [/^XMP::exif (FocalLength|FocalPlaneResolutionUnit|GPS|CompressedBits|ExposureIndex)/, 'others'],
  [
    /^XMP::(tiff|xmpMM|photoshop) .*([XY]Resolution|ResolutionUnit)$/,
    'print size, of placed files',
  ],
  [/^XMP::tiff (WhitePoint|SamplesPerPixel|YCbCrPositioning)$/, 'colour'],
  [/^XMP::iptcExt (MaxAvail|SnapshotLink)/, 'the size of another picture'],
  [/^XMP::iptcExt .*GPS/, 'metres'],
  [/^XMP::photoshop CameraProfiles/, 'shares of the width and height'],
  [/^XMP::xmp (PageInfo|Thumbnails)/, 'the size of another picture'],
  [/^XMP::xmpDM (startTime|timeScale|videoPixelAspect|tracks|markers)/i, 'time'],
  [/^XMP::aux EnhanceSuperResolutionScale$/, 'the factor of an earlier enlargement'],
  [/^XMP::aas (Curve|FaceBalance|AffineD)/, 'tones and turning'],
  [/^XMP::(apple_fi|exifEX|GPano Initial|hdr|xmpG|pdf|prism|DICOM)/, 'angles, numbers'],
  [/^DJI::XMP (Flight|Gimbal|GPS|Relative|Absolute)/, 'metres, angles'],
  [/^XMP::(crs|crd) .*(Shadow|Saturation|Split|Parametric|Color|Temperature)/, 'settings'],
  [
    /^(DarwinCore::Main|PLUS::XMP|Microsoft::|XMP::(xmpPLUS|xmpTPg Swatch|xmpTPg Colorants))/,
    'others',
  ],
  [/^(MWG::Regions .*Rotation|XMP::GCamera)/, 'angles, bytes'],
];

/** Tags of EXIF whose name alone speaks of pixels. */
const exifCountsNoPixels =
  /^(Cell|SamplesPer|RowsPer|Free|Bad|Consecutive|JPEG|YCbCr|ImageID|ImageReference|RegionXform|MDScale|BitsPer|PixelInt|PixelMagic|JPLCarto|TimeZone|DateTime|Offset|Compressed|FocalLength|FocalPlaneResolutionUnit|TIFF-EP|SubSec|MSDocument|Samsung|ImageUnique|PixelFormat|(Width|Height)Resolution|(Image|Alpha)Offset|Original(FileName|Raw)|USPTO|BlackLevel|AsShot|Chroma|RawData|SubTile|Baseline|DefaultUserCrop|Semantic|[XY](Resolution|Position)$|ResolutionUnit|WhitePoint|MaskedPixels)/;

const imageTags = new Set([0x0100, 0x0101, 0x920e, 0x920f]);

/** Whether the tag of a JPEG is another, or none, after twice the size. */
function isFollowedInExif(entry: ExifEntry): boolean {
  const rational = Buffer.alloc(8);
  rational.writeUInt32LE(100, 0);
  rational.writeUInt32LE(1, 4);
  const isRational = /0x(a20e|a20f|920e|920f)/.test(`0x${entry.tag.toString(16)}`);
  const isShorts = entry.tag === 0x9214 || entry.tag === 0xa214;
  const own = isRational
    ? { ...entry, type: 5, bytes: rational }
    : isShorts
      ? { ...entry, type: 3, bytes: Buffer.from([100, 0]) }
      : entry;
  const none = { image: [], photo: [], gps: [], interop: [] };
  const directory = imageTags.has(entry.tag)
    ? 'image'
    : entry.tag === 0x1001 || entry.tag === 0x1002
      ? 'interop'
      : entry.tag > 0x9000 && entry.tag < 0xb000
        ? 'photo'
        : 'image';
  const model = { ...none, littleEndian: true, [directory]: [own] };
  const written = writeExifBlock(model);
  const read = readExifBlock(written.block);
  if (!read) return true;
  const updated = updateExif(read, { width: 400, height: 300, scale: 2, turned: false });
  const after = updated[directory].find(({ tag }) => tag === entry.tag);
  return after === undefined || !after.bytes.equals(own.bytes);
}

describe.skipIf(!hasExiftool)(
  `against exiftool${hasExiftool ? '' : ` (${withoutExiftool})`}`,
  () => {
    it('every property of XMP that may count pixels is followed, or known to count none', () => {
      const properties = listedTags('XMP').filter(
        ({ name, type }) => mayCountPixels.test(name) && isNumeric(type),
      );
      expect(properties.length).toBeGreaterThan(500);
      const isFollowed = ({ table, id }: ListedTag) =>
        placesInXmp.some(
          ([group, tag, space, name]) =>
            group === table &&
            tag.test(id) &&
            (scalingOf(space, name ?? id) !== undefined || isPixelList(space, name ?? id)),
        );
      const isExempt = ({ table, id }: ListedTag) =>
        countNoPixels.some(([pattern]) => pattern.test(`${table} ${id}`));
      const unknown = properties.filter((tag) => !isFollowed(tag) && !isExempt(tag));
      expect(unknown.map(({ table, id }) => `${table} ${id}`)).toEqual([]);
      // Nothing is excused that is in the table.
      const twice = properties.filter((tag) => isFollowed(tag) && isExempt(tag));
      expect(twice.map(({ table, id }) => `${table} ${id}`)).toEqual([]);
    });

    it('every tag of EXIF that may count pixels is followed, left out, or known to count none', () => {
      const listed = listedTags('EXIF').filter(
        ({ table, name }) => table === 'Exif::Main' && mayCountPixels.test(name),
      );
      expect(listed.length).toBeGreaterThan(60);
      const unknown = listed.filter(({ id, name }) => {
        const entry = { tag: Number(id), type: 4, count: 1, bytes: Buffer.from([100, 0, 0, 0]) };
        return !isFollowedInExif(entry) && !exifCountsNoPixels.test(name);
      });
      expect(unknown.map(({ id, name }) => `${id} ${name}`)).toEqual([]);
    });

    const engine = sharedTestEngine();
    afterAll(() => engine.close());
    const noReports = existsSync(reports) ? '' : ' (skipped: no shared reports)';
    const enlarge = async (name: string, metadata: 'keep' | 'private') => {
      const { outputPath } = await engine.run({
        sourcePath: join(reports, name),
        passes: [nearestNetwork(join(engine.dir, 'networks'))],
        metadata,
      });
      return readTags(outputPath);
    };

    it.skipIf(noReports !== '')(
      `r21-focalplane.jpg says the denser sensor${noReports}`,
      async () => {
        expect(await enlarge('r21-focalplane.jpg', 'keep')).toMatchObject({
          'ExifIFD:FocalPlaneXResolution': 10_000,
          'ExifIFD:FocalPlaneYResolution': 10_000,
        });
      },
    );

    it.skipIf(noReports !== '')(`r24-xmp-geo.jpg is private as such${noReports}`, async () => {
      const text = JSON.stringify(await enlarge('r24-xmp-geo.jpg', 'private'));
      expect(text).not.toMatch(/48\.12|11\.76|1581F4|home=|Jane Owner|SER\d|XMP-geo|drone|GPS/);
      expect(text).toContain('Munich');
    });
  },
);
