/** How words of the command line are read. */
import { describe, expect, it } from 'vitest';
import type { TSchema } from 'typebox';
import {
  assertTemplate,
  fieldOption,
  readerOf,
  readPrintSize,
} from '../../../packages/command-line/src/option-words.ts';
import { edgeChoices, Grain, Keep, targetSizes } from '../../../packages/contract/src/request.ts';

describe('a size on paper', () => {
  it.each([
    ['40cm', { side: 'longEdge', millimetres: 400, ppi: 300 }],
    ['16in@240', { side: 'longEdge', millimetres: 406.4, ppi: 240 }],
    ['short:30cm', { side: 'shortEdge', millimetres: 300, ppi: 300 }],
    ['width:297.5mm', { side: 'width', millimetres: 297.5, ppi: 300 }],
    ['height:21cm@600', { side: 'height', millimetres: 210, ppi: 600 }],
  ])('is read from %s', (text, size) => {
    expect(readPrintSize(text)).toEqual(size);
  });

  it.each(['40', '40 cm', 'depth:40cm', '0cm', '40cm@5', '40cm@72.5', '-3in'])(
    'is refused as %s, with an example',
    (text) => {
      expect(() => readPrintSize(text)).toThrow(/such as 40cm/);
    },
  );
});

it('a name template is refused for an unknown field and a path', () => {
  expect(assertTemplate('{n} {date} {model} {name}.{ext}')).toMatch('{n}');
  expect(() => assertTemplate('{sizes}.png')).toThrow('received {sizes}');
  expect(() => assertTemplate('../{name}.png')).toThrow('received a path');
});

describe('a field of a submit', () => {
  it.each([
    ['20', 20],
    ['auto', 'auto'],
  ])('is read from %s', (text, value) => {
    expect(readerOf(Grain)(text)).toBe(value);
  });

  it.each(['101', '1.5', '', 'Auto', '-1', 'Infinity'])('is refused as "%s"', (text) => {
    expect(() => readerOf(Grain)(text)).toThrow('Expected auto, a whole number from 0 to 100.');
  });

  it('says in the help what it may be, and what it is otherwise', () => {
    const { megapixels } = targetSizes;
    const helpOf = (field: TSchema) => fieldOption('--x <y>', 'does', field).description;
    expect(helpOf(edgeChoices.decontaminate)).toBe('does (0 to 100; default: 100)');
    expect(helpOf(Keep)).toBe('does');
    expect(fieldOption('--x <y>', '', Keep).argChoices).toEqual(['faithful', 'colours']);
    expect(() => readerOf(megapixels)('0')).toThrow('Expected more than 0, up to 100000.');
  });
});
