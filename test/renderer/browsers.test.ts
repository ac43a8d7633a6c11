/** The page's styles in browsers other than Chromium. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/program.ts';

/** What Firefox calls the parts of controls that each browser draws itself. */
const firefoxNames = {
  '::-webkit-slider-runnable-track': '::-moz-range-track',
  '::-webkit-slider-thumb': '::-moz-range-thumb',
  '::-webkit-color-swatch': '::-moz-color-swatch',
};

it('draws the parts of its controls in Firefox, too', () => {
  const files = globSync('renderer/**/*.{css,svelte}', { cwd: root });
  const styles = files.map((file) => readFileSync(join(root, file), 'utf8'));
  for (const [chromium, firefox] of Object.entries(firefoxNames)) {
    const drawn = styles.filter((style) => style.includes(`${chromium} {`));
    expect(drawn).not.toEqual([]);
    expect(drawn.filter((style) => !style.includes(`${firefox} {`))).toEqual([]);
  }
});
