/** The package's only entry: others import nothing else. */

// Bytes of a file or of memory, read by position.
export {
  bytesInMemory,
  bytesOfFile,
  withFileBytes,
  withOpenFile,
  type TiffBytes,
} from './tiff/tiff-directory.ts';
export { ifComplete } from './if-complete.ts';

// TIFF, and RAW files that are built like it.
export {
  numberAt,
  numbersByTag,
  openLayout,
  readDirectory,
  readEntry,
  readNumber,
  type RawEntry,
  type TiffLayout,
} from './tiff/tiff-directory.ts';
export { asciiType, typeBytes, utf8Type, type ExifEntry } from './tiff/entry.ts';
export { isCompleteRaw, isRawTiff } from './tiff/sensor-data.ts';

// JPEG: segments, and the quantisation steps in them.
export { endOfImage, readSegment, segmentHeadBytes, startOfScan } from './jpeg-segments.ts';
export {
  orderOf,
  qualityOfSteps,
  readJpegSteps,
  stepsInJpeg,
  stepsOfQuality,
  type StepTables,
} from './jpeg-quality.ts';

// ISO boxes, and the items of HEIF and AVIF in them.
export { boxesIn, boxHeadBytes, readBox, type Box } from './iso-boxes.ts';
export {
  firstPictureOf,
  isPremultipliedHeif,
  placesOfItems,
  readHeifItems,
  type HeifItems,
  type ItemPlace,
} from './heif-items.ts';

// ZIP, read and written without compression.
export {
  dataOffset,
  maxZipCommentBytes,
  readZip64End,
  readZipEnd,
  readZipEntries,
  startsAsZip,
  zip64EndBytes,
  zip64LocatorBytes,
  zipEnd,
  zipEndBytes,
  zipLocalBytes,
  zipLocalHeader,
  type StoredEntry,
  type ZipDirectory,
  type ZipEntry,
} from './zip.ts';
