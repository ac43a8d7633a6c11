/** The shipped networks over pictures in which nothing can be cut out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  assertSeparate,
  assertSubject,
} from '../../../../../electron/engine/jobs/cutout/mask/find-subject.ts';
import { tuningOf } from '../../../../../electron/engine/jobs/cutout/tuning.ts';
import { withMaskSession } from '../../../../bench/mask-session.ts';
import { asSharp } from '../../../../support/images.ts';
import { shippedMaskNetworks, shippedTuning } from '../../../../support/networks-masks.ts';
import { subjectless, subjectlessNames } from '../../../../support/subjectless.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const dir = temporaryFolder();

describe('a shipped network', () => {
  it.each(shippedMaskNetworks().map((network) => [network.modelId, network] as const))(
    '%s cuts nothing out of skies and walls',
    async (_, network) => {
      const cutOut: string[] = [];
      await withMaskSession(network, 'fp32', async (find) => {
        for (const name of subjectlessNames) {
          const path = join(dir, 'picture.png');
          writeFileSync(path, await asSharp(subjectless(name)).png().toBuffer());
          const refusal = await find(path, (found) => Promise.resolve(refusalOf(found)));
          if (refusal !== 'NO_SUBJECT') cutOut.push(name);
        }
      });
      expect(cutOut).toEqual([]);

      function refusalOf(found: Parameters<typeof assertSeparate>[0]): unknown {
        try {
          assertSubject(found.mask, tuningOf(network));
          assertSeparate(found, tuningOf(network));
          return undefined;
        } catch (error) {
          return error instanceof Error && 'code' in error ? error.code : error;
        }
      }
    },
    600_000,
  );
});

describe('what looks like all around it', () => {
  /** 10 x 10, of which the left columns are the subject's. */
  const mask = (columns: number, value: number) => ({
    width: 10,
    height: 10,
    data: Float32Array.from({ length: 100 }, (_, at) => (at % 10 < columns ? value : 0)),
  });
  /** Within the picture: nothing of its border. */
  const inner = {
    width: 10,
    height: 10,
    data: Float32Array.from({ length: 100 }, (_, at) =>
      at % 10 > 2 && at % 10 < 7 && at > 30 && at < 70 ? 1 : 0,
    ),
  };
  const judge = (found: Parameters<typeof assertSeparate>[0]) =>
    assertSeparate(found, shippedTuning);
  const refused = expect.objectContaining({ code: 'NO_SUBJECT' }) as Error;

  it('is no subject along the border, nor where it is doubtful', () => {
    expect(() => judge({ mask: mask(8, 1), rawMask: mask(8, 1), colourOverlap: 0.8 })).toThrow(
      refused,
    );
    expect(() => judge({ mask: inner, rawMask: mask(5, 0.7), colourOverlap: 0.8 })).toThrow(
      refused,
    );
  });

  it('is one where the network is sure of it, or where its colours differ', () => {
    expect(() => judge({ mask: inner, rawMask: inner, colourOverlap: 0.8 })).not.toThrow();
    expect(() =>
      judge({ mask: mask(8, 1), rawMask: mask(8, 1), colourOverlap: 0.6 }),
    ).not.toThrow();
    expect(() => judge({ mask: mask(8, 1), rawMask: mask(8, 1) })).not.toThrow();
  });
});
