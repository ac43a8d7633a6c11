/** Carries the source's metadata into the result, made true for it: upright and of its new size. */
import type { MetadataChoice } from '../../contract/request.ts';
import { privateExif, updateExif, withSoftware, type ResultFacts } from './exif/edit-exif.ts';
import { findEntry, tags, textOf, withDensity } from '../../files/tiff/exif-model.ts';
import { withoutPlaces, type ImageResource } from './containers/photoshop.ts';
import { keywordOf } from './containers/png-chunks.ts';
import type { SourceMetadata } from './source-metadata.ts';
import { Xmp } from './xmp/xmp.ts';

/** A history says which program made the result, and how. */
export interface History {
  /** The software has a name and a version, such as "Enlarger 1.2.0". */
  software: string;
  /** The parameters say what was done, such as "enlarged 4 times with faithful". */
  parameters: string;
  /** It is IPTC's Digital Source Type of the result. Without it the source's stays. */
  sourceType?: string | undefined;
  /** The time is in ISO 8601. */
  when: string;
}

interface CarryOrder {
  choice: MetadataChoice;
  /** It is the resolution that was asked for, in pixels an inch. Without it the source's stays. */
  ppi?: number | undefined;
  facts: ResultFacts & { converted: boolean };
  /** Without a history the result does not say how it was made. */
  history?: History | undefined;
}

interface CarriedMetadata {
  metadata: SourceMetadata;
  notes: string[];
}

/** Carries the profile always unless the colours were converted, and the rest as the choice says. */
export function carriedMetadata(source: SourceMetadata, order: CarryOrder): CarriedMetadata {
  const { choice, facts, history, ppi } = order;
  const notes: string[] = [];
  const always: SourceMetadata = {
    icc: facts.converted ? undefined : source.icc,
    pngColour: facts.converted ? [] : source.pngColour,
    needsDepth: facts.converted ? false : source.needsDepth,
    signalled: facts.converted ? undefined : source.signalled,
    density: ppi ?? source.density,
    photoshop: [],
    pngText: [],
    jpegComments: [],
  };
  if (choice === 'none') return { metadata: { ...always, isBare: true }, notes };
  const isPrivate = choice === 'private';
  if (!isPrivate) notes.push(...(source.leftOut ?? []), ...filmNote(source));
  const updated = source.exif && updateExif(source.exif, facts);
  const exif = updated && ppi !== undefined ? withDensity(updated, ppi) : updated;
  const shown = exif && isPrivate ? privateExif(exif) : exif;
  const before = exif && findEntry(exif.image, tags.software);
  const photoshop = ppi === undefined ? source.photoshop : withoutResolution(source.photoshop);
  const xmp = carriedXmp(source, order, before && textOf(before), notes);
  return {
    metadata: {
      ...always,
      exif: shown && history ? withSoftware(shown, history.software) : shown,
      xmp: xmp?.write() ?? (isPrivate ? undefined : source.xmp),
      extendedXmp: isPrivate ? undefined : source.extendedXmp,
      photoshop: isPrivate ? withoutPlaces(photoshop) : photoshop,
      pngText: isPrivate
        ? source.pngText.filter((chunk) => creditKeywords.has(keywordOf(chunk)))
        : source.pngText,
      jpegComments: isPrivate ? [] : source.jpegComments,
    },
    notes,
  };
}

/** Photoshop's ResolutionInfo has this id. It would contradict a resolution that was asked for. */
const resolutionInfo = 0x03ed;
const withoutResolution = (resources: readonly ImageResource[]) =>
  resources.filter(({ id }) => id !== resolutionInfo);

/** These texts of a PNG say whose picture it is and of what, so `private` keeps them. */
const creditKeywords = new Set(['Title', 'Author', 'Description', 'Copyright', 'Creation Time']);

const names = {
  position: /gps|latitude|longitude|altitude/i,
  serial: /serial/i,
  owner: /owner/i,
  /** Where it was taken, more exactly than the city, and free text that applications write. */
  place: /^(location|locationcreated|locationshown|usercomment)$/i,
};
const gainMapSpaces = ['http://ns.adobe.com/hdr-gain-map/1.0/'];
const containerSpace = 'http://ns.google.com/photos/1.0/container/';
const cameraSpace = 'http://ns.google.com/photos/1.0/camera/';
const xmpSpace = 'http://ns.adobe.com/xap/1.0/';

/** Tells whether a property describes what the result lacks: thumbnail, gain map, film, other picture. */
const isOfOtherParts = (space: string, name: string) =>
  gainMapSpaces.includes(space) ||
  space === containerSpace ||
  (space === cameraSpace && /Motion|MicroVideo/.test(name)) ||
  (space === xmpSpace && name === 'Thumbnails');

/**
 * Only these namespaces stay in a private result: what describes the picture, its maker's credit and how it was
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
  return flags.includes('1') ? ['Its film (a motion photo) was left out.'] : [];
}

/** Makes the result's XMP. It is undefined where a packet cannot be read, or there is nothing to say. */
function carriedXmp(
  source: SourceMetadata,
  { choice, facts, history, ppi }: CarryOrder,
  softwareBefore: string | undefined,
  notes: string[],
): Xmp | undefined {
  const xmp = source.xmp ? Xmp.read(source.xmp) : history && Xmp.create();
  if (!xmp) {
    if (source.xmp && choice === 'private')
      notes.push('Its XMP could not be read, so it was left out.');
    return undefined;
  }
  xmp.remove(isOfOtherParts);
  if (choice === 'private') {
    xmp.remove(isPersonal);
    xmp.remove((_, name) => name === 'HasExtendedXMP');
  }
  xmp.replace('tiff', 'Orientation', '1');
  xmp.follow(facts);
  if (ppi !== undefined) {
    for (const name of ['XResolution', 'YResolution']) xmp.replace('tiff', name, `${ppi}/1`);
    xmp.replace('tiff', 'ResolutionUnit', '2');
  }
  if (history) writeHistory(xmp, history, softwareBefore);
  return xmp;
}

/** Writes how the result was made. The software named in EXIF before stays as the tool of creation. */
function writeHistory(xmp: Xmp, history: History, softwareBefore: string | undefined): void {
  const { software, parameters, sourceType, when } = history;
  if (softwareBefore && !xmp.get('xmp', 'CreatorTool'))
    xmp.add('xmp', 'CreatorTool', softwareBefore);
  xmp.replace('tiff', 'Software', software);
  if (sourceType) writeSourceType(xmp, sourceType);
  xmp.addHistory({ action: 'derived', parameters, softwareAgent: software, when });
}

/** This is IPTC's Digital Source Type NewsCode for a picture that an algorithm augmented or corrected. */
export const algorithmicallyEnhanced =
  'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced';

/** Writes the source type, but keeps one that says that a machine made the picture, wholly or in part. */
function writeSourceType(xmp: Xmp, sourceType: string): void {
  const before = xmp.get('Iptc4xmpExt', 'DigitalSourceType');
  if (before === undefined) xmp.add('Iptc4xmpExt', 'DigitalSourceType', sourceType);
  else if (!/algorithmic/i.test(before))
    xmp.replace('Iptc4xmpExt', 'DigitalSourceType', sourceType);
}
