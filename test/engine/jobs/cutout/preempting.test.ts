/** A cut-out for which a person waits, beside an enlargement that runs. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCutouts, small, inside, outside } from '../../../support/cutouts.ts';
import { photo } from '../../../support/images.ts';
import { slowNetwork } from '../../../support/networks-made.ts';
import { pixelAt } from '../../../support/subjects.ts';

const { engine, cutOut } = openCutouts();

describe('a cut-out beside an enlargement', () => {
  it('is done between two of its tiles where it preempts, and else after it', async () => {
    const ended: string[] = [];
    const passes = [slowNetwork(join(engine.dir, 'networks'))];
    const begun = Promise.withResolvers<undefined>();
    const large = engine
      .run({ sourcePath: await engine.saved(photo(600, 450)), passes }, undefined, (progress) => {
        if (progress.step === 'network' && progress.percent > 0) begun.resolve(undefined);
      })
      .then(() => ended.push('large'));
    await begun.promise;
    const usual = cutOut(small).then(() => ended.push('usual'));
    const { result, report } = await cutOut(small, { preempts: true });
    ended.push('preempting');
    expect([pixelAt(result, ...inside)[3], pixelAt(result, ...outside)[3]]).toEqual([255, 0]);
    expect(report.timings.waitMs).toBeUndefined();
    await Promise.all([large, usual]);
    expect(ended[0]).toBe('preempting');
    expect(ended).toHaveLength(3);
  });
});
