import { describe, expect, it } from 'vitest';
import { readCorrection } from '../../../../packages/command-line/src/models/model-commands.ts';

describe('a correction on the command line', () => {
  it('is the fields that are given', () => {
    expect(readCorrection('{"marginPx":24,"channels":"BGR"}')).toEqual({
      marginPx: 24,
      channels: 'BGR',
    });
  });

  it('says which field cannot have its value', () => {
    expect(() => readCorrection('{"marginPx":-3}')).toThrow(/^marginPx must be >= 0/);
  });

  it.each(['{"scale":4}', 'marginPx 24', '[]x', 'null'])('names the fields for %s', (text) => {
    expect(() => readCorrection(text)).toThrow(/Expected JSON with the fields name, .*marginPx/);
  });
});
