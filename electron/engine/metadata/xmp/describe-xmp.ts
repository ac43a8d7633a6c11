/** An XMP packet's properties as a person reads them: lists in one value, structures field by field. */
import type { Element } from '@xmldom/xmldom';

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const mostDepth = 6;

const childElements = (element: Element): Element[] =>
  [...element.childNodes].filter((node): node is Element => node.nodeType === 1);

/** Of one top-level description. Names have their usual prefix, such as dc:creator. */
export function describeProperties(description: Element): { name: string; value: string }[] {
  const attributes = [...description.attributes].flatMap(({ namespaceURI, name, value }) =>
    namespaceURI && namespaceURI !== rdf && !name.startsWith('xmlns') ? [{ name, value }] : [],
  );
  const elements = childElements(description).map((element) => ({
    name: element.nodeName,
    value: valueOf(element, 0),
  }));
  return [...attributes, ...elements].filter(({ value }) => value !== '');
}

function valueOf(element: Element, depth: number): string {
  const [list] = childElements(element);
  if (depth > mostDepth || (!list && element.attributes.length === 0)) return textOf(element);
  const isList = list?.namespaceURI === rdf && /^(Seq|Bag|Alt)$/.test(list.localName ?? '');
  if (list && isList)
    return childElements(list)
      .map((item) => valueOf(item, depth + 1))
      .filter((value) => value !== '')
      .join('; ');
  return list || hasFields(element) ? fieldsOf(element, depth) : textOf(element);
}

const textOf = (element: Element) => (element.textContent ?? '').trim();

const isField = ({ namespaceURI, name }: { namespaceURI: string | null; name: string }) =>
  namespaceURI !== null && namespaceURI !== rdf && !/^xml(ns)?(:|$)/.test(name);

const hasFields = (element: Element) => [...element.attributes].some(isField);

/** A structure's fields, whichever of RDF's ways to write them was taken. */
function fieldsOf(element: Element, depth: number): string {
  const own = [...element.attributes]
    .filter(isField)
    .map(({ localName, value }) => `${localName ?? ''}: ${value}`);
  const below = childElements(element).flatMap((child) =>
    child.namespaceURI === rdf && child.localName === 'Description'
      ? [fieldsOf(child, depth + 1)]
      : [`${child.localName ?? ''}: ${valueOf(child, depth + 1)}`],
  );
  return [...own, ...below].join(', ');
}
