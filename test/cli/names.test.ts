import { expect, it } from 'vitest';
import { assertTemplate } from '../../electron/cli/names.ts';

it('a name template is refused for an unknown field and a path', () => {
  expect(assertTemplate('{n} {date} {model} {name}.{ext}')).toMatch('{n}');
  expect(() => assertTemplate('{size}.png')).toThrow('received {size}');
  expect(() => assertTemplate('../{name}.png')).toThrow('received a path');
});
