/** Reads and writes XMP packets as XML (Adobe's XMP specification, parts 1 and 3). */
import { DOMParser, XMLSerializer, type Attr, type Document, type Element } from '@xmldom/xmldom';
import { withoutTrailingZeros, withoutInstructions } from '../linear-text.ts';
import { childElements, describeProperties, rdf } from './describe-xmp.ts';
import { scalingOf, isPixelList, scaledDewarping, scaledText } from './pixel-properties.ts';

const spaces = {
  rdf,
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpMM: 'http://ns.adobe.com/xap/1.0/mm/',
  stEvt: 'http://ns.adobe.com/xap/1.0/sType/ResourceEvent#',
  xmpNote: 'http://ns.adobe.com/xmp/note/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  camera: 'http://ns.google.com/photos/1.0/camera/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  hdrgm: 'http://ns.adobe.com/hdr-gain-map/1.0/',
  appleGain: 'http://ns.apple.com/HDRGainMap/1.0/',
} as const;
type XmpSpace = keyof typeof spaces;

const container = 'http://ns.google.com/photos/1.0/container/';
const containerItem = 'http://ns.google.com/photos/1.0/container/item/';

/** A picture or film in a JPEG file. */
interface ContainerItem {
  /** What it is, such as Primary or GainMap. */
  semantic: string;
  /** With padding; 0 for the picture itself. */
  sizeBytes: number;
}

/** Geometry of a result relative to its source. */
export interface PixelGeometry {
  width: number;
  height: number;
  scale: number;
  turned: boolean;
}

/** Longer packets are not parsed: that would block the engine. */
const maxPacketBytes = 16 * 1024 * 1024;
/** Limit of tags and attributes. A photo with thousands of brush strokes has about 20,000. */
const maxParts = 40_000;

const emptyPacket =
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${spaces.rdf}">` +
  '<rdf:Description rdf:about=""/></rdf:RDF></x:xmpmeta>';

/** One event of xmpMM:History. */
interface HistoryEvent {
  action: string;
  softwareAgent: string;
  parameters: string;
  /** ISO 8601. */
  when: string;
}

/** A packet being edited. Properties are attributes or elements of top-level descriptions. */
export class Xmp {
  readonly #document: Document;

  private constructor(document: Document) {
    this.#document = document;
  }

  /** Parses a packet; undefined if the bytes are not valid XMP. */
  static read(packet: Buffer): Xmp | undefined {
    if (packet.length > maxPacketBytes) return undefined;
    const text = withoutTrailingZeros(textOfPacket(packet));
    const xml = withoutInstructions(text, ['xpacket', 'xml']).trim();
    if (/<!DOCTYPE|<!ENTITY/i.test(xml) || partsOf(xml) > maxParts) return undefined;
    try {
      const parser = new DOMParser({ onError: throwOnError });
      const xmp = new Xmp(parser.parseFromString(xml, 'text/xml'));
      return xmp.#descriptions().length > 0 ? xmp : undefined;
    } catch {
      return undefined;
    }
  }

  static create(): Xmp {
    return new Xmp(new DOMParser().parseFromString(emptyPacket, 'text/xml'));
  }

  write(): Buffer {
    const xml = new XMLSerializer().serializeToString(this.#document);
    return Buffer.from(
      `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${xml}\n<?xpacket end="w"?>`,
    );
  }

  /** Lists every property with its value as text. */
  describe(): { name: string; value: string }[] {
    return this.#descriptions().flatMap(describeProperties);
  }

  get(space: XmpSpace, name: string): string | undefined {
    for (const { value } of this.#properties(spaces[space], name)) return value;
    return undefined;
  }

  /** Reads the numbers of a property, which may be a list; none if it has other text. */
  numbers(space: XmpSpace, name: string): number[] {
    const [list] = this.#elements(spaces[space], name);
    const items = list ? [...list.getElementsByTagNameNS(rdf, 'li')] : [];
    const texts =
      items.length > 0
        ? items.map((item) => item.textContent ?? '')
        : [this.get(space, name) ?? ''];
    return texts.flatMap((text) => (isNumber(text) ? [Number(text)] : []));
  }

  /** Lists what follows the picture in its file, with the bytes of each (Google's container 1.0). */
  containerItems(): ContainerItem[] {
    const elements = this.#descriptions().flatMap((description) => [
      ...description.getElementsByTagNameNS(container, 'Item'),
    ]);
    return elements.map((element) => {
      const attribute = (name: string) => element.getAttributeNS(containerItem, name) ?? '';
      const [length, padding] = [attribute('Length'), attribute('Padding')];
      return {
        semantic: attribute('Semantic'),
        sizeBytes:
          (isNumber(length) ? Number(length) : 0) + (isNumber(padding) ? Number(padding) : 0),
      };
    });
  }

  /** Adds the list of what the file holds. */
  addContainer(items: readonly ContainerItem[]): void {
    const [description] = this.#descriptions();
    if (!description) return;
    const directory = this.#document.createElementNS(container, 'Container:Directory');
    const list = this.#document.createElementNS(spaces.rdf, 'rdf:Seq');
    for (const { semantic, sizeBytes } of items) {
      const entry = this.#document.createElementNS(spaces.rdf, 'rdf:li');
      entry.setAttributeNS(spaces.rdf, 'rdf:parseType', 'Resource');
      const item = this.#document.createElementNS(container, 'Container:Item');
      item.setAttributeNS(containerItem, 'Item:Semantic', semantic);
      item.setAttributeNS(containerItem, 'Item:Mime', 'image/jpeg');
      if (sizeBytes > 0) item.setAttributeNS(containerItem, 'Item:Length', String(sizeBytes));
      entry.appendChild(item);
      list.appendChild(entry);
    }
    directory.appendChild(list);
    description.appendChild(directory);
  }

  /** Sets an existing simple property; adds none. */
  replace(space: XmpSpace, name: string, value: string): void {
    for (const property of this.#properties(spaces[space], name)) property.set(value);
  }

  /** Adds a simple property. */
  add(space: XmpSpace, name: string, value: string): void {
    const [description] = this.#descriptions();
    description?.setAttributeNS(spaces[space], `${space}:${name}`, value);
  }

  /** Removes every property that the predicate selects, also inside other properties. */
  remove(isUnwanted: (namespace: string, name: string) => boolean): void {
    const isGone = ({ namespaceURI, localName }: Attr | Element) =>
      namespaceURI !== null && isUnwanted(namespaceURI, localName ?? '');
    for (const description of this.#descriptions()) {
      for (const element of [description, ...description.getElementsByTagName('*')]) {
        for (const attribute of [...element.attributes].filter(isGone))
          element.removeAttributeNode(attribute);
        for (const child of childElements(element).filter(isGone)) element.removeChild(child);
      }
    }
  }

  /** Scales every property that counts pixels. */
  scalePixels({ width, height, scale, turned }: PixelGeometry): void {
    if (turned) this.remove(isPixelList);
    for (const description of this.#descriptions())
      for (const element of [description, ...description.getElementsByTagName('*')]) {
        for (const node of [...element.attributes, element]) {
          const { namespaceURI, localName } = node;
          const how = scalingOf(namespaceURI ?? '', localName ?? '');
          const text = node === element ? textOfLeaf(element) : (node as Attr).value;
          if (!how || text === undefined) continue;
          const around = node === element ? element.parentNode : element;
          const next = scaledValue(how, text, around as Element, { width, height, scale });
          if (next === undefined) continue;
          if (node === element) element.textContent = next;
          else (node as Attr).value = next;
        }
        const isList = isPixelList(element.namespaceURI ?? '', element.localName ?? '');
        for (const item of isList ? element.getElementsByTagNameNS(rdf, 'li') : [])
          item.textContent = scaledText(item.textContent ?? '', scale) ?? item.textContent;
      }
  }

  /** Merges the properties of another packet, such as the extension of this one. */
  absorb(other: Xmp): void {
    const [description] = this.#descriptions();
    for (const source of other.#descriptions()) {
      const copy = this.#document.importNode(source, true);
      description?.parentNode?.appendChild(copy);
    }
  }

  addHistory(event: HistoryEvent): void {
    const [description] = this.#descriptions();
    if (!description) return;
    const history = this.#elements(spaces.xmpMM, 'History')[0] ?? this.#makeHistory(description);
    const list = childElements(history)[0];
    if (!list) return;
    const item = this.#document.createElementNS(spaces.rdf, 'rdf:li');
    item.setAttributeNS(spaces.rdf, 'rdf:parseType', 'Resource');
    for (const [name, value] of Object.entries(event) as [string, string][]) {
      const field = this.#document.createElementNS(spaces.stEvt, `stEvt:${name}`);
      field.appendChild(this.#document.createTextNode(value));
      item.appendChild(field);
    }
    list.appendChild(item);
  }

  #makeHistory(description: Element): Element {
    const history = this.#document.createElementNS(spaces.xmpMM, 'xmpMM:History');
    history.appendChild(this.#document.createElementNS(spaces.rdf, 'rdf:Seq'));
    description.appendChild(history);
    return history;
  }

  #descriptions(): Element[] {
    const root = this.#document.getElementsByTagNameNS(spaces.rdf, 'RDF').item(0);
    return root ? childElements(root).filter((child) => child.localName === 'Description') : [];
  }

  #elements(namespace: string, name: string): Element[] {
    return this.#descriptions().flatMap((description) =>
      childElements(description).filter(
        (child) => child.namespaceURI === namespace && child.localName === name,
      ),
    );
  }

  #properties(namespace: string, name: string) {
    const elements = this.#elements(namespace, name).map((element) => ({
      value: element.textContent ?? '',
      set: (value: string) => {
        element.textContent = value;
      },
    }));
    const attributes = this.#descriptions().flatMap((description) => {
      const attribute = description.getAttributeNodeNS(namespace, name);
      if (!attribute) return [];
      const set = (value: string) => {
        attribute.value = value;
      };
      return [{ value: attribute.value, set }];
    });
    return [...attributes, ...elements];
  }
}

const isNumber = (text: string): boolean =>
  /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);

/** Text of an element without child elements. */
const textOfLeaf = (element: Element): string | undefined =>
  childElements(element).length === 0 ? (element.textContent ?? '') : undefined;

function scaledValue(
  how: NonNullable<ReturnType<typeof scalingOf>>,
  text: string,
  around: Element,
  { width, height, scale }: Omit<PixelGeometry, 'turned'>,
): string | undefined {
  if (how === 'width') return String(width);
  if (how === 'height') return String(height);
  if (how === 'dewarping') return scaledDewarping(text, scale);
  if (how !== 'scaled' && !how.is.includes(siblingText(around, how.ifUnit))) return undefined;
  return scaledText(text, scale);
}

/** Value of a property in a structure or an enclosing one (the unit of a vertex is there). */
function siblingText(around: Element, name: string): string {
  let structure: Element | null = around;
  for (let depth = 0; structure && depth < 6; depth += 1) {
    if (typeof structure.getElementsByTagName !== 'function') return '';
    const attribute = [...structure.attributes].find(({ localName }) => localName === name);
    if (attribute) return attribute.value.trim();
    const child = childElements(structure).find(({ localName }) => localName === name);
    if (child) return (child.textContent ?? '').trim();
    structure = structure.parentNode as Element | null;
  }
  return '';
}

/** Decodes UTF-8, or UTF-16 of older programs, by the first bytes. */
function textOfPacket(packet: Buffer): string {
  const [first, second] = packet;
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c);
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const encoding = isBig ? 'utf-16be' : isLittle ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(packet).replace(/^\ufeff/, '');
}

/** Lower bound of the number of tags and attributes; stops at the limit. */
function partsOf(xml: string): number {
  let parts = 0;
  for (let at = 0; at < xml.length && parts <= maxParts; at += 1) {
    const code = xml.charCodeAt(at);
    if (code === lessThan) parts += 1;
    else if (code === equals && beforeValue.has(xml[at + 1] ?? '')) parts += 1;
  }
  return parts;
}

const [lessThan, equals] = [0x3c, 0x3d];
const beforeValue = new Set(['"', "'", ' ', '\t', '\n', '\r']);

function throwOnError(level: string, message: string): void {
  if (level !== 'warning') throw new Error(message);
}
