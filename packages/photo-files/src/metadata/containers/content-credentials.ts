/**
 * Finds Content Credentials (C2PA specification 2.1, "Embedding manifests into assets"). They are signed for the bytes
 * of the source, so that no result can carry them.
 */
import { note } from '../../../../contract/src/notes/notes.ts';
import { boxesIn, type TiffBytes } from '../../../../file-records/src/index.ts';
import { payloadsOf, type JpegSegment } from './jpeg-segments.ts';
import { boxesOf } from './jxl-boxes.ts';
import { chunksIn } from './png-chunks.ts';
import { chunksOfWebp } from './webp-chunks.ts';

const noteIf = (isThere: boolean): string[] => (isThere ? [note('CREDENTIALS_DROPPED')] : []);

/** A JUMBF box begins within these bytes of a segment or box with the type of its content. */
const labelBytes = 64;
const isManifest = (head: Buffer) => head.includes('c2pa', 0, 'latin1');

export const credentialsOfJpeg = (segments: readonly JpegSegment[]): string[] =>
  noteIf(
    payloadsOf(segments, 0xeb, 'JP').some((payload) => isManifest(payload.subarray(0, labelBytes))),
  );

export const credentialsOfPng = (bytes: TiffBytes): string[] =>
  noteIf([...chunksIn(bytes)].some(({ type }) => type === 'caBX'));

export const credentialsOfWebp = (bytes: TiffBytes): string[] =>
  noteIf([...chunksOfWebp(bytes)].some(({ type }) => type === 'C2PA'));

/** User type of the box in AVIF and HEIC. */
const manifestId = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const maxBoxes = 1000;

export const credentialsOfHeif = (bytes: TiffBytes): string[] =>
  noteIf(
    boxesIn(bytes, 0, bytes.size, maxBoxes).some(
      ({ type, at }) => type === 'uuid' && bytes.read(at, manifestId.length).equals(manifestId),
    ),
  );

export const credentialsOfJxl = (bytes: TiffBytes): string[] =>
  noteIf(
    boxesOf(bytes).some(
      ({ type, at }) => type === 'jumb' && isManifest(bytes.read(at, labelBytes)),
    ),
  );

/** Tag of a TIFF or DNG. */
export const credentialsOfTiff = (tags: readonly number[]): string[] =>
  noteIf(tags.includes(0xcd41));
