import { describe, expect, it } from 'vitest';
import { assertMayShip, joinLicences } from '../../packaging/licences.ts';

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

describe('the file of all licences', () => {
  it('holds each text once and names the package that has it', () => {
    const shared = 'Apache License\n\nVersion 2.0';
    const file = joinLicences([
      { title: 'one 1.0.0 (Apache-2.0)', texts: [shared, 'NOTICE of one'] },
      { title: 'two 2.0.0 (Apache-2.0)', texts: [`${shared.replaceAll('\n', '\r\n')}\r\n`] },
      { title: 'three 3.0.0 (MIT)', texts: ['MIT License of three'] },
    ]);
    expect(file.split('Version 2.0')).toHaveLength(2);
    expect(file).toContain(
      'two 2.0.0 (Apache-2.0)\n\nIts text is word for word that of one 1.0.0 (Apache-2.0).',
    );
    for (const said of ['NOTICE of one', 'MIT License of three']) expect(file).toContain(said);
  });
});
