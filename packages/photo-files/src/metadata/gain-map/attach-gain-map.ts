/** Writes a gain map behind a JPEG's picture, as Ultra HDR 1.0 and ISO 21496-1 have it. */
import { appendFileSync, closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { writeAll } from '../../../../files/src/write-all.ts';
import {
  insertSegments,
  isoGainMapHead,
  jpegSegment,
  readSegments,
  standardXmpHead,
} from '../containers/jpeg-segments.ts';
import { Xmp } from '../xmp/xmp.ts';
import { multiPictureHead, pictureIndex } from '../containers/multi-picture.ts';
import {
  isoOfParameters,
  isoVersion,
  xmpOfParameters,
  type GainMapParameters,
} from './parameters.ts';

/** A JPEG of the gain map, with its own parameters. */
export interface GainMapFile {
  path: string;
  sizeBytes: number;
}

/** Inserts the parameters, and the profile of the gains' colours if the map has one, into the map's JPEG. */
export async function describeGainMap(
  path: string,
  parameters: GainMapParameters,
): Promise<GainMapFile> {
  const segments = [
    jpegSegment(0xe1, headed(standardXmpHead, Buffer.from(xmpOfParameters(parameters)))),
    jpegSegment(0xe2, headed(isoGainMapHead, isoOfParameters(parameters))),
  ];
  await insertSegments(path, segments, () => undefined);
  return { path, sizeBytes: statSync(path).size };
}

const headed = (head: string, bytes: Buffer) => Buffer.concat([Buffer.from(head, 'latin1'), bytes]);

/** The properties by which a base picture's XMP declares its map. */
export function withGainMapProperties(
  packet: Buffer | undefined,
  { sizeBytes }: GainMapFile,
): Buffer {
  const xmp = (packet && Xmp.read(packet)) ?? Xmp.create();
  xmp.add('hdrgm', 'Version', '1.0');
  xmp.addContainer([
    { semantic: 'Primary', sizeBytes: 0 },
    { semantic: 'GainMap', sizeBytes },
  ]);
  return xmp.write();
}

/** Segments of the base picture; `attachGainMap` completes the second. */
export const gainMapSegments = (): Buffer[] => [
  jpegSegment(0xe2, headed(isoGainMapHead, isoVersion())),
  jpegSegment(0xe2, headed(multiPictureHead, pictureIndex(0, 0, 0))),
];

/** Appends the map, and completes the index of pictures; for when nothing else is inserted any more. */
export function attachGainMap(path: string, map: GainMapFile): void {
  const found = readSegments(path).find(
    ({ marker, payload }) =>
      marker === 0xe2 &&
      payload.toString('latin1', 0, multiPictureHead.length) === multiPictureHead,
  );
  if (!found) throw new Error('The JPEG has no index of pictures');
  const headerAt = found.end - found.payload.length + multiPictureHead.length;
  const index = pictureIndex(statSync(path).size, map.sizeBytes, headerAt);
  const fd = openSync(path, 'r+');
  try {
    writeAll(fd, index, headerAt);
  } finally {
    closeSync(fd);
  }
  appendFileSync(path, readFileSync(map.path));
}
