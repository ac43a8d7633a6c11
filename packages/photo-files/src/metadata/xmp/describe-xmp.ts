/** Describes XMP's properties for display. */
import type { Element } from '@xmldom/xmldom';

export const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const maxDepth = 6;

export const childElements = (element: Element): Element[] =>
  [...element.childNodes].filter((node): node is Element => node.nodeType === 1);

/**
 * Lists the properties of one top-level description, with lists in one value and structures field by field.
 * Names have the packet's own prefix, such as dc:creator.
 */
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
  if (depth > maxDepth || (!list && element.attributes.length === 0)) return textOf(element);
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

/** Fields of a structure, in any of RDF's notations. */
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
