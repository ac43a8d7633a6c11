import { expect, it } from 'vitest';
import { asOrigin } from '../../../../renderer/state/connect/origin.ts';

it('takes the origin out of an address, and a bare host as a secure one', () => {
  expect(asOrigin('https://example.org/editor?x=1')).toBe('https://example.org');
  expect(asOrigin('http://localhost:5173')).toBe('http://localhost:5173');
  expect(asOrigin('example.org')).toBe('https://example.org');
});

it('finds none in what is no address of a web page', () => {
  for (const typed of ['', 'file:///home/me', 'two words', 'http://'])
    expect(asOrigin(typed)).toBeUndefined();
});
