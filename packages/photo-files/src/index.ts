/** The package's only entry: the application imports nothing else. */

// Reading: what a file says of itself, then its pixels.
export { inspect, type InspectedPicture } from './inspect.ts';
export { describePicture } from './metadata/describe.ts';
export { readFileCompression, type FileCompression } from './compression/file-compression.ts';
export {
  bytesDecoded,
  decode,
  decodeLimitSeconds,
  decodePart,
  decoding,
  keptLight,
  type DecodedPicture,
} from './decode.ts';
export {
  decodeFrames,
  framesName,
  sliceFrame,
  type DecodedFrames,
} from './animation/decode-frames.ts';
export { assertAllRows } from './repair/truncation.ts';
export { isForeign } from './foreign/protocol.ts';
export { maxWaitFactor } from './foreign/thread-deadline.ts';

// Colours between a file's profile and the screen.
export { coloursOfHex, toDisplay, toProfile, type ProfiledColours } from './display-colours.ts';
export type { LightEncoding } from './colour/tone-map.ts';

// Writing: pixels, then what goes along from the source.
export {
  encode,
  thumbnailPx,
  writeThumbnail,
  type Animation,
  type EncodeRequest,
} from './encode.ts';
export { appendTrailer } from './trailer.ts';
export { enlargeGainMap } from './gain-map.ts';
export type { GainMapFile } from './metadata/gain-map/attach-gain-map.ts';
export { withMappedLight } from './metadata/source-metadata.ts';
export { planMetadata } from './metadata/write-metadata.ts';
export {
  algorithmicallyEnhanced,
  transferMetadata,
  type History,
} from './metadata/transfer-metadata.ts';
