/**
 * Writes metadata into a result: through the raster's trailer what libvips writes unchanged, the rest
 * afterwards.
 */
import { note } from '../../../contract/src/notes/notes.ts';
import { formats, isDeep, labelOf, type OutputFormat } from '../../../contract/src/formats.ts';
import { withoutInstructions } from './linear-text.ts';
import type { TrailerFields } from './trailer-fields.ts';
import { exifSlot, fillExifSlot } from './containers/exif-slot.ts';
import type { OnMoved } from './containers/insert-bytes.ts';
import {
  extensionSegments,
  guidOf,
  insertJfif,
  insertSegments,
  jpegSegment,
  maxSegmentBytes,
  maxXmpBytes,
} from './containers/jpeg-segments.ts';
import { insertNclx } from './containers/avif-colours.ts';
import { appendGifXmp } from './containers/gif-blocks.ts';
import { insertJxlMetadata } from './containers/jxl-boxes.ts';
import { jpegPayloadsOf, writeRawProfile, writeResources } from './containers/photoshop.ts';
import { insertChunks, packedText, xmpChunk, type PngChunk } from './containers/png-chunks.ts';
import {
  attachGainMap,
  gainMapSegments,
  withGainMapProperties,
} from './gain-map/attach-gain-map.ts';
import { keepsHdr } from './declared-colours.ts';
import type { SourceMetadata } from './source-metadata.ts';
import { writeTiffMetadata } from './tiff/tiff-metadata.ts';
import { densityOf, emptyExif, withDensity, type ExifModel } from './exif/exif-model.ts';
import { exifName } from './exif/exif-names.ts';
import { writeExifBlock, type WrittenExif } from './exif/write-exif.ts';
import { Xmp } from './xmp/xmp.ts';

export interface MetadataWriter {
  /** For the raster that is encoded. */
  trailer: TrailerFields;
  /**
   * Whether the profile is applied instead of written, because it is for grey and the format holds RGB only.
   */
  appliesProfile: boolean;
  /** Whether inserted chunks declare the colours, so that no profile is written. */
  dropsProfile: boolean;
  /** Completes the encoded file, before it is synced. */
  finish(path: string, onMoved: OnMoved): Promise<void>;
  /** A note on each part that the format cannot hold; complete after `finish`. */
  notes: string[];
}

const maxNamedEntries = 5;

function longEntriesNote(dropped: WrittenExif['dropped']): string {
  const named = dropped.slice(0, maxNamedEntries);
  const names = named.map(({ directory, entry }) => exifName(directory, entry.tag)).join(', ');
  const count = dropped.length - named.length;
  return count > 0
    ? note('EXIF_TOO_LONG_MORE', { names, count })
    : note('EXIF_TOO_LONG', { names });
}

export function planMetadata(
  format: OutputFormat,
  metadata: SourceMetadata,
  { bands, bits }: { bands: number; bits: number },
): MetadataWriter {
  const { icc, density } = metadata;
  const isGrey = bands < 3;
  const isBare = formats[format].bare === true;
  const exif = isBare ? undefined : exifWithDensity(format, metadata);
  const plain: TrailerFields = { ...(icc && { icc }), ...(density && { density }) };
  if (format === 'tiff') return planTiff(metadata, plain);
  const name = labelOf(format);
  const notes: string[] = [];
  const written = exif && writeExifBlock(exif);
  if (written && written.dropped.length > 0) notes.push(longEntriesNote(written.dropped));
  if (written?.droppedMakerNote) notes.push(note('MAKER_NOTES_DROPPED', { format: name }));
  const packet: Packet = format === 'jpeg' ? jpegXmp(metadata) : { main: wholeXmp(metadata) };
  const { grey: holdsGrey, iptc: holdsIptc } = formats[format];
  const isJxl = format === 'jxl';
  const isPng = format === 'png';
  const isUnheldGrey = !holdsGrey && isGrey && icc !== undefined;
  if (isUnheldGrey) notes.push(note('GREY_NOT_HELD', { format: name }));
  const isTooFine = metadata.needsDepth === true && !isDeep(format) && icc !== undefined;
  if (isTooFine) notes.push(note('DEPTH_TOO_SMALL', { format: name }));
  const isUnheldProfile = isBare && icc !== undefined;
  if (isUnheldProfile && !isUnheldGrey && !isTooFine)
    notes.push(note('PROFILE_NOT_HELD', { format: name }));
  if (isBare && metadata.exif) notes.push(note('EXIF_NOT_HELD', { format: name }));
  const appliesProfile = isUnheldGrey || isTooFine || isUnheldProfile;
  const hdr = keepsHdr(metadata.declared, format, bits);
  const dropsProfile = keepsChunks(format, metadata) || hdr !== undefined;
  if (metadata.photoshop.length > 0 && !holdsIptc)
    notes.push(note(isBare ? 'IPTC_NOT_HELD_XMP' : 'IPTC_NOT_HELD', { format: name }));
  notes.push(...textNotes(format, metadata));
  const block = written?.block;
  return {
    trailer: {
      ...plain,
      ...(block && !isJxl && { exif: exifSlot(block) }),
      ...(packet.main && !isJxl && !isPng && format !== 'gif' && { xmp: packet.main }),
    },
    appliesProfile,
    dropsProfile,
    async finish(path, onMoved) {
      if (isJxl) await insertJxlMetadata(path, { exif: block, xmp: packet.main }, onMoved);
      else if (block) fillExifSlot(path, block, format);
      if (format === 'jpeg') {
        await insertSegments(path, jpegSegmentsOf(metadata, packet.extension), onMoved);
        // libvips omits the resolution if it writes no EXIF of its own.
        const isInExif = exif !== undefined && densityOf(exif) !== undefined;
        if (isDeclared(density) && !isInExif) await insertJfif(path, density, onMoved);
        if (metadata.gainMapFile) attachGainMap(path, metadata.gainMapFile);
      }
      if (hdr) await insertNclx(path, hdr, onMoved);
      if (format === 'gif' && packet.main) appendGifXmp(path, packet.main);
      if (isPng) await insertChunks(path, pngChunksOf(metadata, packet.main), onMoved);
    },
    notes,
  };
}

/** libvips' resolution for a JPEG without one. */
const defaultDensity = 72;
const isDeclared = (density: number | undefined): density is number =>
  density !== undefined && density !== defaultDensity;

/** A PNG keeps the chunks with which its source declared its colours. */
const keepsChunks = (format: OutputFormat, { declared, pngColour }: SourceMetadata): boolean =>
  format === 'png' && declared !== undefined && pngColour.length > 0;

function exifWithDensity(
  format: OutputFormat,
  { exif, density, isBare }: SourceMetadata,
): ExifModel | undefined {
  if (isBare || formats[format].density || !isDeclared(density)) return exif;
  if (exif && densityOf(exif) !== undefined) return exif;
  return withDensity(exif ?? emptyExif(), density);
}

/** Notes on dropped text: only PNG holds its text, and only JPEG comments. */
function textNotes(format: OutputFormat, { pngText, jpegComments }: SourceMetadata): string[] {
  const text = pngText.length > 0 && format !== 'png';
  const comments = jpegComments.length > 0 && format !== 'jpeg';
  return [
    ...(text ? [note('PNG_TEXT_NOT_HELD', { format: labelOf(format) })] : []),
    ...(comments ? [note('COMMENT_NOT_HELD', { format: labelOf(format) })] : []),
  ];
}

function planTiff(metadata: SourceMetadata, plain: TrailerFields): MetadataWriter {
  const { exif, photoshop } = metadata;
  const notes = textNotes('tiff', metadata);
  const main = wholeXmp(metadata);
  return {
    trailer: { ...plain, ...(main && { xmp: main }) },
    appliesProfile: false,
    dropsProfile: false,
    finish(path) {
      const isEmpty = !exif && photoshop.length === 0;
      const written = isEmpty ? undefined : writeTiffMetadata(path, { exif, photoshop });
      if (written?.droppedMakerNote) notes.push(note('MAKER_NOTES_TOO_FAR'));
      return Promise.resolve();
    },
    notes,
  };
}

interface Packet {
  main?: Buffer | undefined;
  extension?: Buffer | undefined;
}

/** Moves a packet that is too long for one segment into an extension. A gain map is declared in the first. */
function jpegXmp({ xmp, extendedXmp, gainMapFile }: SourceMetadata): Packet {
  const whole = gainMapFile ? withGainMapProperties(xmp, gainMapFile) : xmp;
  if (!xmp || !whole || whole.length <= maxXmpBytes) return { main: whole, extension: extendedXmp };
  const extension = Buffer.from(withoutInstructions(xmp.toString('utf8'), ['xpacket']).trim());
  const main = Xmp.create();
  main.add('xmpNote', 'HasExtendedXMP', guidOf(extension));
  const packet = main.write();
  return { main: gainMapFile ? withGainMapProperties(packet, gainMapFile) : packet, extension };
}

/** Merges an extension into the packet: only JPEG has extensions. */
function wholeXmp({ xmp, extendedXmp }: SourceMetadata): Buffer | undefined {
  const parsed = xmp && extendedXmp && Xmp.read(xmp);
  const extension = parsed && Xmp.read(extendedXmp);
  if (!extension) return xmp;
  parsed.remove((_, name) => name === 'HasExtendedXMP');
  parsed.absorb(extension);
  return parsed.write();
}

function jpegSegmentsOf(
  { photoshop, jpegComments, gainMapFile }: SourceMetadata,
  extension: Buffer | undefined,
): Buffer[] {
  return [
    ...(extension ? extensionSegments(extension) : []),
    ...jpegPayloadsOf(photoshop, maxSegmentBytes).map((payload) => jpegSegment(0xed, payload)),
    ...jpegComments.map((comment) => jpegSegment(0xfe, comment)),
    ...(gainMapFile ? gainMapSegments() : []),
  ];
}

function pngChunksOf(metadata: SourceMetadata, xmp: Buffer | undefined): PngChunk[] {
  const { icc, pngColour, pngText, photoshop } = metadata;
  const iptc =
    photoshop.length > 0
      ? [packedText('Raw profile type iptc', writeRawProfile('iptc', writeResources(photoshop)))]
      : [];
  const packet = xmp ? [xmpChunk(xmp)] : [];
  const colour = !icc || keepsChunks('png', metadata) ? pngColour : [];
  return [...colour, ...packet, ...pngText, ...iptc];
}
