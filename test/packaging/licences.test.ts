import { describe, expect, it } from 'vitest';
import { assertMayShip } from '../../packaging/licences.ts';

const may = (license: string) => () => assertMayShip({ name: 'it', license });

describe('what may be shipped', () => {
  it('is what is free on terms that fit, libraries under the LGPL among it', () => {
    for (const licence of ['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', '(MIT OR CC0-1.0)'])
      expect(may(licence)).not.toThrow();
    expect(may('LGPL-3.0-or-later')).not.toThrow();
    expect(may('Apache-2.0 AND LGPL-3.0-or-later AND MIT')).not.toThrow();
  });

  it('is not what binds the whole program, or says nothing', () => {
    for (const licence of ['GPL-3.0', 'AGPL-3.0', 'UNLICENSED', ''])
      expect(may(licence)).toThrow('may be shipped');
  });
});
