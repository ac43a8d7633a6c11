/** A second run over a folder leaves results out, by the mark in their metadata. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { outputFormats } from '../../../packages/contract/src/formats.ts';
import { isMadeByEnlarger } from '../../../packages/files/src/made-by-enlarger.ts';
import { createTestEngine } from '../../support/engine.ts';
import { asSharp, photo } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';

const engine = createTestEngine();
afterAll(() => engine.close());

/** The results are larger than the parts at their beginnings and ends that are read for the mark. */
const picture = photo(300, 220);
const sources = {
  'that says nothing': () => asSharp(picture).png(),
  'with EXIF': () =>
    asSharp(picture)
      .withExif({ IFD0: { Software: 'Darkroom 3' } })
      .jpeg(),
};

describe('what was made of a photo', () => {
  describe.each(Object.entries(sources))('%s', (_, make) => {
    it.each(outputFormats)('is known again as %s', async (format) => {
      const sourcePath = await engine.saved(make());
      expect(await isMadeByEnlarger(sourcePath)).toBe(false);
      const passes = [nearestNetwork(engine.dir)];
      const wish = { format, formatChosen: true, history: 'Enlarger 1.2.3-rc.4' };
      const { outputPath } = await engine.run({ sourcePath, passes, ...wish });
      expect(await isMadeByEnlarger(outputPath)).toBe(true);
    });
  });

  it('says so in a PNG as the specification of XMP wants it, once', async () => {
    const sourcePath = await engine.saved(sources['that says nothing']());
    const passes = [nearestNetwork(engine.dir)];
    const { outputPath } = await engine.run({ sourcePath, passes, history: 'Enlarger 1.2.3' });
    const chunks = readFileSync(outputPath, 'latin1').match(/.TXtXML:com\.adobe\.xmp\0+/g);
    expect(chunks).toEqual(['iTXtXML:com.adobe.xmp\0\0\0\0\0']);
  });
});
