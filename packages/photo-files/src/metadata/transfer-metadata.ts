/** Transfers the source's metadata to the result, corrected for it: upright and of its new size. */
import { note } from '../../../contract/src/notes/notes.ts';
import type { MetadataChoice } from '../../../contract/src/request.ts';
import { privateExif, updateExif, withSoftware, type ResultGeometry } from './exif/edit-exif.ts';
import { findEntry, tags, textOf, withDensity } from './exif/exif-model.ts';
import { withoutLocations, type ImageResource } from './containers/photoshop.ts';
import { keywordOf } from './containers/png-chunks.ts';
import type { SourceMetadata } from './source-metadata.ts';
import { Xmp } from './xmp/xmp.ts';

/** Which program made the result, and how. */
export interface History {
  /** Name and version, such as "Enlarger 1.2.0". */
  software: string;
  /** What was done, such as "enlarged 4 times with faithful". */
  parameters: string;
  /** IPTC Digital Source Type of the result; absent: as in the source. */
  sourceType?: string | undefined;
  /** ISO 8601. */
  when: string;
}

interface TransferOptions {
  choice: MetadataChoice;
  /** Requested resolution in pixels per inch; absent: as in the source. */
  ppi?: number | undefined;
  facts: ResultGeometry & { converted: boolean };
  /** Absent: the result does not record how it was made. */
  history?: History | undefined;
}

interface TransferredMetadata {
  metadata: SourceMetadata;
  notes: string[];
}

/** Transfers the profile unless the colours were converted, and the rest as the choice says. */
export function transferMetadata(
  source: SourceMetadata,
  options: TransferOptions,
): TransferredMetadata {
  const { choice, facts, history, ppi } = options;
  const notes: string[] = [];
  const always: SourceMetadata = {
    icc: facts.converted ? undefined : source.icc,
    pngColour: facts.converted ? [] : source.pngColour,
    needsDepth: facts.converted ? false : source.needsDepth,
    declared: facts.converted ? undefined : source.declared,
    density: ppi ?? source.density,
    photoshop: [],
    pngText: [],
    jpegComments: [],
  };
  if (choice === 'none') return { metadata: { ...always, isBare: true }, notes };
  const isPrivate = choice === 'private';
  if (!isPrivate) notes.push(...new Set([...(source.dropped ?? []), ...filmNote(source)]));
  const updated = source.exif && updateExif(source.exif, facts);
  const exif = updated && ppi !== undefined ? withDensity(updated, ppi) : updated;
  const shown = exif && isPrivate ? privateExif(exif) : exif;
  const before = exif && findEntry(exif.image, tags.software);
  const photoshop = ppi === undefined ? source.photoshop : withoutResolution(source.photoshop);
  const xmp = transferredXmp(source, options, before && textOf(before), notes);
  return {
    metadata: {
      ...always,
      exif: shown && history ? withSoftware(shown, history.software) : shown,
      xmp: xmp?.write() ?? (isPrivate ? undefined : source.xmp),
      extendedXmp: isPrivate ? undefined : source.extendedXmp,
      photoshop: isPrivate ? withoutLocations(photoshop) : photoshop,
      pngText: isPrivate
        ? source.pngText.filter((chunk) => creditKeywords.has(keywordOf(chunk)))
        : source.pngText,
      jpegComments: isPrivate ? [] : source.jpegComments,
    },
    notes,
  };
}

/** Photoshop's ResolutionInfo, which would contradict a requested resolution. */
const resolutionInfo = 0x03ed;
const withoutResolution = (resources: readonly ImageResource[]) =>
  resources.filter(({ id }) => id !== resolutionInfo);

/** PNG texts of credit and description, which `private` keeps. */
const creditKeywords = new Set(['Title', 'Author', 'Description', 'Copyright', 'Creation Time']);

const names = {
  position: /gps|latitude|longitude|altitude/i,
  serial: /serial/i,
  owner: /owner/i,
  /** Location more exact than the city, and free text that applications write. */
  place: /^(location|locationcreated|locationshown|usercomment)$/i,
};
const gainMapSpaces = [
  'http://ns.adobe.com/hdr-gain-map/1.0/',
  'http://ns.apple.com/HDRGainMap/1.0/',
];
const containerSpace = 'http://ns.google.com/photos/1.0/container/';
const cameraSpace = 'http://ns.google.com/photos/1.0/camera/';
const xmpSpace = 'http://ns.adobe.com/xap/1.0/';
const termsSpace = 'http://purl.org/dc/terms/';

/** Whether a property describes what the result lacks: thumbnail, gain map, film, other picture, credentials. */
const isOfOtherParts = (space: string, name: string) =>
  gainMapSpaces.includes(space) ||
  space === containerSpace ||
  (space === cameraSpace && /Motion|MicroVideo/.test(name)) ||
  (space === xmpSpace && name === 'Thumbnails') ||
  // Where the source's Content Credentials are (C2PA).
  (space === termsSpace && name === 'provenance');

/**
 * Namespaces that a private result keeps: description of the picture, its maker's credit, and how it was
 * made. Makers' and programs' own ones hold positions and serial numbers under any name.
 */
const sharedSpaces: readonly RegExp[] = [
  /^http:\/\/www\.w3\.org\/(1999\/02\/22-rdf-syntax-ns#|XML\/1998\/namespace|2000\/xmlns\/)/,
  /^adobe:ns:meta\//,
  /^http:\/\/purl\.org\/dc\//,
  /^http:\/\/ns\.adobe\.com\/(xap\/1\.0\/|xmp\/(note|sType)\/|tiff\/|exif\/|photoshop\/|camera-raw-settings\/|lightroom\/|hdr-metadata\/)/,
  /^http:\/\/cipa\.jp\/exif\//,
  /^http:\/\/iptc\.org\/std\//,
  /^http:\/\/ns\.useplus\.org\//,
  /^http:\/\/creativecommons\.org\/ns#/,
  /^http:\/\/ns\.google\.com\/photos\/1\.0\/panorama\//,
  /^http:\/\/www\.metadataworkinggroup\.com\/schemas\//,
];

const isPersonal = (space: string, name: string) =>
  !sharedSpaces.some((shared) => shared.test(space)) ||
  Object.values(names).some((pattern) => pattern.test(name));

function filmNote({ xmp }: SourceMetadata): string[] {
  const parsed = xmp && Xmp.read(xmp);
  const flags = [parsed?.get('camera', 'MotionPhoto'), parsed?.get('camera', 'MicroVideo')];
  return flags.includes('1') ? [note('FILM_DROPPED')] : [];
}

/** Builds the result's XMP; undefined if the packet is unreadable, or there is nothing to write. */
function transferredXmp(
  source: SourceMetadata,
  { choice, facts, history, ppi }: TransferOptions,
  softwareBefore: string | undefined,
  notes: string[],
): Xmp | undefined {
  const xmp = source.xmp ? Xmp.read(source.xmp) : history && Xmp.create();
  if (!xmp) {
    if (source.xmp && choice === 'private') notes.push(note('XMP_UNREADABLE'));
    return undefined;
  }
  xmp.remove(isOfOtherParts);
  if (choice === 'private') {
    xmp.remove(isPersonal);
    xmp.remove((_, name) => name === 'HasExtendedXMP');
  }
  xmp.replace('tiff', 'Orientation', '1');
  xmp.scalePixels(facts);
  if (ppi !== undefined) {
    for (const name of ['XResolution', 'YResolution']) xmp.replace('tiff', name, `${ppi}/1`);
    xmp.replace('tiff', 'ResolutionUnit', '2');
  }
  if (history) writeHistory(xmp, history, softwareBefore);
  return xmp;
}

/** Records how the result was made. Software named earlier in EXIF stays as the creator tool. */
function writeHistory(xmp: Xmp, history: History, softwareBefore: string | undefined): void {
  const { software, parameters, sourceType, when } = history;
  if (softwareBefore && !xmp.get('xmp', 'CreatorTool'))
    xmp.add('xmp', 'CreatorTool', softwareBefore);
  xmp.replace('tiff', 'Software', software);
  if (sourceType) writeSourceType(xmp, sourceType);
  xmp.addHistory({ action: 'derived', parameters, softwareAgent: software, when });
}

/** IPTC's Digital Source Type NewsCode for a picture augmented or corrected by an algorithm. */
export const algorithmicallyEnhanced =
  'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced';

/** Writes the source type, but keeps one that declares the picture wholly or partly generated. */
function writeSourceType(xmp: Xmp, sourceType: string): void {
  const before = xmp.get('Iptc4xmpExt', 'DigitalSourceType');
  if (before === undefined) xmp.add('Iptc4xmpExt', 'DigitalSourceType', sourceType);
  else if (!/algorithmic/i.test(before))
    xmp.replace('Iptc4xmpExt', 'DigitalSourceType', sourceType);
}
