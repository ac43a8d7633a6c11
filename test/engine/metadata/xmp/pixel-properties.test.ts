/** What counts pixels in XMP and EXIF follows the result, and what is private goes. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  scalingOf,
  scaledText,
} from '../../../../electron/engine/metadata/xmp/pixel-properties.ts';
import { Xmp } from '../../../../electron/engine/metadata/xmp/xmp.ts';
import { createTestEngine } from '../../../support/engine.ts';
import { hasExiftool, readTags, withoutExiftool } from '../../../support/exiftool.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { reports } from '../../../support/shared.ts';

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

describe.skipIf(!hasExiftool)(
  `against exiftool${hasExiftool ? '' : ` (${withoutExiftool})`}`,
  () => {
    it('every property of a panorama that is named after pixels is followed', () => {
      const list = execFileSync('exiftool', ['-listx', '-XMP-GPano:All']).toString();
      const names = [...list.matchAll(/<tag id='(\w+)'/g)].map(([, name]) => name!);
      const inPixels = names.filter((name) => /Pixels$|Rect/.test(name));
      expect(inPixels.length).toBeGreaterThan(6);
      const space = 'http://ns.google.com/photos/1.0/panorama/';
      expect(inPixels.filter((name) => !scalingOf(space, name))).toEqual([]);
    });

    const engine = createTestEngine();
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
