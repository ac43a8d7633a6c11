/**
 * Writes EXIF, IPTC and Photoshop's resources into a TIFF that libvips wrote without them. Directories are
 * appended after the pixels, so that no large file is rewritten.
 */
import { closeSync, openSync } from 'node:fs';
import {
  appendDirectories,
  type DirectoryWriter,
  type VerbatimEntry,
} from '../exif/directory-writer.ts';
import {
  type ExifEntry,
  bytesOfFile,
  openLayout,
  readDirectory,
  type TiffLayout,
} from '../../../../file-records/src/index.ts';
import { tags, type ExifModel } from '../exif/exif-model.ts';
import { iptcOf, writeResources, type ImageResource } from '../containers/photoshop.ts';

/** Tags that libvips writes itself, for the picture as it is now. */
const writtenByLibvips = new Set<number>([tags.imageWidth, tags.imageHeight, tags.orientation]);

interface TiffMetadata {
  exif?: ExifModel | undefined;
  photoshop: ImageResource[];
}

/** Writes the metadata. The MakerNote is left out if its offsets cannot reach its new position. */
export function writeTiffMetadata(
  path: string,
  metadata: TiffMetadata,
): { droppedMakerNote: boolean } {
  const fd = openSync(path, 'r+');
  try {
    const layout = openLayout(bytesOfFile(fd));
    if (!layout) throw new Error('The result is no TIFF');
    return appendDirectories(fd, layout, (writer) => writeOnto(layout, metadata, writer));
  } finally {
    closeSync(fd);
  }
}

/** Writes the file's own directory with the photo's entries. @returns its offset */
function writeOnto(layout: TiffLayout, metadata: TiffMetadata, writer: DirectoryWriter): number {
  const { exif, photoshop } = metadata;
  const photo = exif ? writer.writeModel(exif) : [];
  const added = [
    ...photo.filter(({ tag }) => !writtenByLibvips.has(tag)),
    ...photoshopEntries(photoshop),
  ];
  const own = ownEntries(layout, new Set(added.map(({ tag }) => tag)));
  return writer.write([...own.entries, ...added], own.next);
}

/** The file's own entries verbatim, without those that are replaced. */
function ownEntries(layout: TiffLayout, replaced: Set<number>) {
  const { bytes, big, firstDirectory } = layout;
  const { entries, next } = readDirectory(layout, firstDirectory);
  const entryBytes = big ? 20 : 12;
  const body = bytes.read(firstDirectory + (big ? 8 : 2), entries.length * entryBytes);
  const verbatim: VerbatimEntry[] = entries.map(({ tag }, i) => ({
    tag,
    verbatim: Buffer.from(body.subarray(i * entryBytes, (i + 1) * entryBytes)),
  }));
  return { entries: verbatim.filter(({ tag }) => !replaced.has(tag)), next };
}

function photoshopEntries(resources: ImageResource[]): ExifEntry[] {
  const iptc = iptcOf(resources);
  const others = resources.filter(({ data }) => data !== iptc);
  const entry = (tag: number, type: number, value: Buffer): ExifEntry => ({
    tag,
    type,
    count: value.length,
    bytes: value,
  });
  return [
    ...(others.length > 0 ? [entry(tags.photoshop, 1, writeResources(others))] : []),
    ...(iptc ? [entry(tags.iptc, 7, iptc)] : []),
  ];
}
