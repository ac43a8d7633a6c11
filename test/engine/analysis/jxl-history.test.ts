/** A JPEG that libjxl's cjxl packed without loss: its tables lie packed among the pixels, and its pixels tell them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { boxesOf } from '../../../packages/photo-files/src/metadata/containers/jxl-boxes.ts';
import { withFileBytes } from '../../../packages/file-records/src/tiff/tiff-directory.ts';
import { sharedTestEngine } from '../../support/engine.ts';
import { toldNetwork } from '../../support/networks-made.ts';
import { encoded, scene } from './damaged-pictures.ts';

function hasCjxl(): boolean {
  try {
    execFileSync('cjxl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const isThere = hasCjxl();

describe.skipIf(!isThere)(
  `a JPEG packed as JPEG XL${isThere ? '' : ': skipped, there is no cjxl'}`,
  () => {
    const engine = sharedTestEngine();
    afterAll(() => engine.close());

    it.each([50, 60, 75, 85])('is told to have quality %i', async (quality) => {
      const [jpeg, sourcePath] = ['jpg', 'jxl'].map((end) => join(engine.dir, `${quality}.${end}`));
      writeFileSync(jpeg!, await encoded(scene(7)).jpeg({ quality }).toBuffer());
      execFileSync('cjxl', [jpeg!, sourcePath!], { stdio: 'ignore' });
      const kinds = withFileBytes(sourcePath!, (bytes) => boxesOf(bytes).map(({ type }) => type));
      expect(kinds).toContain('jbrd');
      const passes = [toldNetwork(join(engine.dir, 'networks'))];
      const { report } = await engine.run({ sourcePath: sourcePath!, passes });
      expect(report.measured?.toldBy).toBe('pixels');
      expect(Math.abs(report.measured!.jpegQuality! - quality)).toBeLessThanOrEqual(10);
    });
  },
);
