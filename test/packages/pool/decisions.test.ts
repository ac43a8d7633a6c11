import { describe, expect, test } from 'vitest';
import type { CutoutJob, UpscaleJob } from '../../../electron/engine/protocol/messages.ts';
import { createOwnSpeeds } from '../../../packages/pool/src/help/speeds.ts';
import { declineForMs } from '../../../packages/pool/src/take.ts';
import {
  chooseStraggler,
  placeStraggler,
  secondsLeftOf,
} from '../../../packages/pool/src/stragglers.ts';
import type { PoolJob, PoolResult } from '../../../packages/pool/src/messages.ts';
import { speedupOf } from '../../../electron/service/api/pool-routes.ts';
import { digestOf, capabilityOf } from '../../../packages/pool/src/skills.ts';
import { createQuarantine } from '../../../packages/pool/src/submit/quarantine.ts';
import { assertLikeness, assertReport } from '../../../packages/pool/src/submit/check-result.ts';
import { testModel } from '../../support/service.ts';

describe('a late task', () => {
  const running = { megapixels: 12, ageSeconds: 10, megapixelsPerSecond: 0.1, percent: 0 };

  test('takes yet what its progress says, or its machine speed before there is any', () => {
    expect(secondsLeftOf(running)).toBe(110);
    expect(secondsLeftOf({ ...running, percent: 50 })).toBe(10);
    expect(secondsLeftOf({ ...running, megapixelsPerSecond: undefined })).toBe(Infinity);
  });

  test('is the one that takes longest, and only where a second start gains', () => {
    const slower = { ...running, megapixelsPerSecond: 0.05 };
    expect(chooseStraggler([running, slower], 1)?.running).toBe(slower);
    expect(chooseStraggler([running, slower], 0.06)?.running).toBe(undefined);
    expect(chooseStraggler([running], 0.15)?.running).toBe(undefined);
    expect(chooseStraggler([{ ...running, percent: 90, ageSeconds: 20 }], 100)).toBe(undefined);
    expect(chooseStraggler([], 1)).toBe(undefined);
  });

  test('goes to the fastest machine that is idle, and not to the one that has it', () => {
    const fast = { id: 'b', megapixelsPerSecond: 2 };
    const here = { id: undefined, megapixelsPerSecond: 1 };
    const unknown = { id: 'c', megapixelsPerSecond: undefined };
    const late = { ...running, helperId: 'a' };
    expect(placeStraggler([late], [unknown, here, fast])?.on).toBe(fast);
    expect(placeStraggler([{ ...late, helperId: 'b' }], [unknown, here, fast])?.on).toBe(here);
    expect(placeStraggler([{ ...late, helperId: undefined }], [here])).toBe(undefined);
    expect(placeStraggler([], [here])).toBe(undefined);
  });

  test('is stuck where no speed is known, before it is started again', () => {
    const unknown = { ...running, megapixelsPerSecond: undefined };
    expect(chooseStraggler([unknown], undefined)).toBe(undefined);
    expect(chooseStraggler([{ ...unknown, ageSeconds: 31 }], undefined)?.secondsLeft).toBe(
      Infinity,
    );
  });
});

describe('a helper', () => {
  const job = {
    submitter: { id: 'b'.repeat(16) },
    notFor: [],
    megapixels: 12,
  } as unknown as PoolJob;
  const taking = {
    me: 'a',
    quarantinedBy: new Set<string>(),
    isBusy: false,
    megapixelsPerSecond: 1,
    serves: new Set(['work-of-cutout']),
  };

  test('leaves jobs that are not for it, or that it is too slow for', () => {
    expect(declineForMs(job, taking)).toBe(0);
    expect(declineForMs(job, { ...taking, isBusy: true })).toBeGreaterThan(0);
    expect(
      declineForMs(job, { ...taking, quarantinedBy: new Set([job.submitter.id]) }),
    ).toBeGreaterThan(0);
    expect(declineForMs({ ...job, notFor: ['a'] }, taking)).toBeGreaterThan(0);
    expect(declineForMs({ ...job, withinSeconds: 12 }, taking)).toBe(0);
    expect(declineForMs({ ...job, withinSeconds: 11 }, taking)).toBeGreaterThan(0);
    expect(declineForMs({ ...job, needs: ['work-of-cutout'] }, taking)).toBe(0);
    expect(declineForMs({ ...job, needs: ['work-of-another'] }, taking)).toBeGreaterThan(0);
  });

  test('measures itself over tasks that overlap', () => {
    const speeds = createOwnSpeeds();
    speeds.ended('natural', 10, 0, 10_000);
    expect(speeds.of('natural')).toBe(1);
    speeds.ended('natural', 10, 2000, 15_000);
    expect(speeds.of('natural')).toBe(1.5);
    expect(speeds.of('cutout')).toBe(undefined);
  });
});

describe('a helper that fails', () => {
  test('is set aside after three failures, of lies for longer', () => {
    const quarantine = createQuarantine();
    expect(quarantine.noteFault('a', 'lost', 'it died.', 0)).toBe(undefined);
    expect(quarantine.noteFault('a', 'lost', 'it died.', 0)).toBe(undefined);
    const until = quarantine.noteFault('a', 'lost', 'it slept.', 0);
    expect(until?.reason).toBe('It is set aside after 3 failures. The last one: it slept.');
    expect(quarantine.current('a', 0)).toEqual(until);
    expect(quarantine.current('a', until!.untilMs)).toBe(undefined);
    expect(quarantine.current('b', 0)).toBe(undefined);
    for (let i = 0; i < 3; i += 1) quarantine.noteFault('b', 'false', 'it lied.', 0);
    expect(quarantine.current('b', 0)!.untilMs).toBeGreaterThan(until!.untilMs);
  });

  test('is forgiven deaths by a good result, and never lies', () => {
    const quarantine = createQuarantine();
    for (let i = 0; i < 6; i += 1) {
      expect(quarantine.noteFault('a', 'lost', 'it died.', 0)).toBe(undefined);
      quarantine.noteSuccess('a');
    }
    for (let i = 0; i < 2; i += 1) {
      expect(quarantine.noteFault('b', 'false', 'it lied.', 0)).toBe(undefined);
      quarantine.noteSuccess('b');
    }
    expect(quarantine.noteFault('b', 'false', 'it lied.', 0)).toBeDefined();
  });
});

describe('the digest of a model', () => {
  const networks = testModel.networks as { scale: number; variants: { sha256: string }[] }[];

  test('is the same for the same files used in the same way', () => {
    const turned = JSON.parse(JSON.stringify(testModel)) as typeof testModel;
    const [first] = turned.networks;
    turned.networks[0] = Object.fromEntries(Object.entries(first!).reverse()) as typeof first &
      object;
    expect(digestOf(turned)).toBe(digestOf({ ...testModel, name: 'Another', licence: 'Other' }));
  });

  test('is another one for another file, or another use of it', () => {
    const others = [
      { ...networks[0], variants: [{ ...networks[0]!.variants[0], sha256: '0'.repeat(64) }] },
      { ...networks[0], marginPx: 3 },
    ];
    for (const other of others) {
      const model = { ...testModel, networks: [other, networks[1]] } as typeof testModel;
      expect(digestOf(model)).not.toBe(digestOf(testModel));
    }
  });

  test('comes with the precision that was measured last, where there are several', () => {
    expect(capabilityOf(testModel, [])?.precision).toBe('fp32');
    const both = {
      ...testModel,
      networks: networks.map((network) => ({
        ...network,
        variants: [...network.variants, { ...network.variants[0], precision: 'int8' }],
      })),
    } as typeof testModel;
    expect(capabilityOf(both, [])).toBe(undefined);
    const speed = (precision: string) => ({ modelId: 'faithful', precision });
    expect(capabilityOf(both, [speed('fp32'), speed('int8')])?.precision).toBe('int8');
    expect(capabilityOf(both, [{ modelId: 'other', precision: 'int8' }])).toBe(undefined);
  });
});

describe('what a helper gave back', () => {
  const picture = { format: 'png', bitDepth: 8, channels: 3, sizeBytes: 1 };
  const report = {
    input: { ...picture, width: 30, height: 20 },
    output: { ...picture, width: 60, height: 40 },
    device: { provider: 'cpu', name: 'CPU', precision: 'int8' },
    timings: {},
    notes: [],
    ran: [],
    tiles: { count: 1, sizePx: 1, computedPerCore: 1 },
  } as PoolResult['report'];
  const job = {
    operation: 'upscale',
    passes: [{ scale: 2 }],
    format: 'same',
    formatChosen: false,
  } as unknown as UpscaleJob;
  const source = { ...picture, width: 30, height: 20, pages: 1 };
  const skill = { precision: 'int8' };

  test('passes when all is as it should be, also for a size that was asked for', () => {
    assertReport({ job, source, skill, report });
    const target = { kind: 'longEdge', value: 45 } as const;
    const output = { ...report.output, width: 45, height: 30 };
    assertReport({ job: { ...job, target }, source, skill, report: { ...report, output } });
  });

  test.each([
    [{ input: { ...report.input, width: 31 } }, /the source has 30 x 20/],
    [{ output: { ...report.output, width: 61 } }, /expected 60 x 40/],
    [{ output: { ...report.output, format: 'exe' } }, /its result is exe/],
    [{ device: { ...report.device!, precision: 'fp32' } }, /expected int8/],
  ])('is refused: %j', (said, sentence) => {
    const told = { ...report, ...said };
    expect(() => assertReport({ job, source, skill, report: told })).toThrow(sentence);
  });

  test('shows its source and is not flat', () => {
    const like = { difference: 2, sourceDeviation: 50, resultDeviation: 49, opaque: 1 };
    const upscale = { operation: 'upscale' } as const;
    const cutout = {
      operation: 'remove-bg',
      maskOnly: false,
      background: 'transparent',
    } as const;
    assertLikeness(upscale, like, {});
    expect(() => assertLikeness(upscale, { ...like, resultDeviation: 0 }, {})).toThrow(/flat/);
    expect(() => assertLikeness(cutout, { ...like, resultDeviation: 0 }, {})).toThrow(/flat/);
    assertLikeness(upscale, { ...like, sourceDeviation: 1, resultDeviation: 0 }, {});
    expect(() => assertLikeness(upscale, { ...like, difference: 90 }, {})).toThrow(
      /another picture/,
    );
    expect(() => assertLikeness(cutout, { ...like, difference: 90 }, {})).toThrow(
      /another picture/,
    );
    const crop = { x: 1, y: 1, width: 9, height: 9 };
    assertLikeness(cutout, { ...like, difference: 90 }, { crop });
  });

  test('may be flat or of other colours where a cut-out is: before a colour, as a mask, without a subject', () => {
    const flat = { difference: 90, sourceDeviation: 50, resultDeviation: 0, opaque: 1 };
    const cutout = { operation: 'remove-bg', maskOnly: false } as const;
    assertLikeness({ ...cutout, background: '#ffffff' }, flat, {});
    assertLikeness({ ...cutout, background: 'transparent', maskOnly: true }, flat, {});
    const nothing = { ...flat, difference: 0, opaque: 0 };
    assertLikeness({ ...cutout, background: 'transparent' }, nothing, {});
  });

  test('is as large as a cut-out was to be reduced to', () => {
    const target = { kind: 'width', value: 15 } as const;
    const cut = { operation: 'remove-bg', format: 'same', formatChosen: false, target };
    const output = { ...report.output, width: 15, height: 10 };
    const asked = { job: cut as unknown as CutoutJob, source, skill };
    assertReport({ ...asked, report: { ...report, output } });
    expect(() => assertReport({ ...asked, report })).toThrow(/expected 15 x 10/);
  });

  test.each([
    [{}, {}, [60, 40]],
    [{}, { first: 'cutout' }, [60, 40]],
    [{ crop: 5 }, { crop: { x: 1, y: 1, width: 12, height: 9 } }, [24, 18]],
    [{ canvas: { width: 50, height: 50 } }, {}, [50, 50]],
    [{ canvas: { width: 50, height: 50 } }, { first: 'cutout' }, [50, 50]],
    [{ target: { kind: 'width', value: 45 } }, {}, [45, 30]],
  ])('is as large as a cut-out that is enlarged must be: %j %j', (own, made, [width, height]) => {
    const { first = 'enlarge', crop } = made as { first?: 'cutout'; crop?: typeof report.crop };
    const enlarge = { passes: job.passes, first };
    const cutout = { ...job, operation: 'remove-bg', maskOnly: false, enlarge, ...own };
    const output = { ...report.output, width, height };
    const told = { ...report, output, ...(crop && { crop }) } as typeof report;
    const asked = { job: cutout as unknown as CutoutJob, source, skill };
    assertReport({ ...asked, report: told });
    const larger = { ...told, output: { ...output, width: (width ?? 0) + 3 } } as typeof report;
    expect(() => assertReport({ ...asked, report: larger })).toThrow(/expected \d+ x \d+/);
  });
});

test('a pool is told to be faster than one machine only as long as another one helps', () => {
  const ended = { here: 10, elsewhere: 20 };
  const other = { isThis: false, state: 'working' } as const;
  expect(speedupOf(ended, [other])).toBe(3);
  expect(speedupOf({ here: 0, elsewhere: 20 }, [other])).toBe(1);
  expect(speedupOf(ended, [])).toBe(1);
  expect(speedupOf(ended, [{ ...other, state: 'away' }])).toBe(1);
  expect(speedupOf(ended, [{ ...other, isThis: true }])).toBe(1);
});
