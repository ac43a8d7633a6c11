import { describe, expect, it } from 'vitest';
import {
  batchPercent,
  createCountdown,
  secondsLeft,
  shareDone,
  type PhotoProgress,
} from '../../../packages/api-client/src/pace.ts';

const running = (etaSeconds?: number): PhotoProgress => ({ phase: 'PROCESSING', etaSeconds });
const waiting: PhotoProgress = { phase: 'PENDING' };
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const ended = (from: number, to: number, seconds?: number): PhotoProgress => ({
  phase: 'FINISHED',
  record: {
    startedAt: at(from),
    finishedAt: at(to),
    ...(seconds !== undefined && { estimate: { seconds } }),
  },
});

describe('the time that is left while nothing new is known', () => {
  it('is counted down from the last prediction, and ends at a second', () => {
    const left = createCountdown();
    expect([left(90, 0, 5), left(90, 1000, 5), left(90, 20_000, 5)]).toEqual([90, 89, 70]);
    expect(left(75, 40_000, 5)).toBeGreaterThan(50);
    expect(left(75, 60_000, 5)).toBeCloseTo(55, 0);
    expect(left(75, 500_000, 5)).toBe(1);
  });

  it('begins anew after it was not known, and where photos came or were taken away', () => {
    const left = createCountdown();
    expect([left(9, 0, 5), left(undefined, 4000, 5), left(9, 5000, 5)]).toEqual([9, undefined, 9]);
    expect([left(20, 5000, 8), left(3, 6000, 2)]).toEqual([20, 3]);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'stays calm while predictions go up and down by a third, and follows what really changes (%i)',
    (seed) => {
      const random = randomOf(seed);
      const left = createCountdown();
      const [change, settled] = [300, 420];
      let [predicted, shown] = [0, 600];
      const [jumps, steps, errors]: [number[], number[], number[]] = [[], [], []];
      for (let second = 0; second < 1150; second += 1) {
        // The machine becomes busy, and everything takes twice as long from then on.
        const truth = (second < change ? 600 : 1200) - second;
        const last = { predicted, shown };
        if (second % 2 === 0) predicted = truth * (0.7 + 0.6 * random());
        shown = left(predicted, 1000 * second, 40) ?? 0;
        if (truth < 30 || second < 2) continue;
        if (second !== change) jumps.push(Math.abs(predicted - last.predicted) / truth);
        steps.push(Math.abs(shown - last.shown) / truth);
        const isSettled = second > 60 && (second < change || second > settled);
        if (isSettled) errors.push(Math.abs(shown / truth - 1));
      }
      expect(Math.max(...jumps)).toBeGreaterThan(0.5);
      expect(Math.max(...steps)).toBeLessThan(0.1);
      expect(Math.max(...errors)).toBeLessThan(0.25);
    },
  );
});

describe('the time that is left before a photo has ended', () => {
  it('is not guessed from nothing', () => {
    expect(secondsLeft([running(), waiting], [])).toBeUndefined();
    expect(secondsLeft([running(5), waiting], [])).toBeUndefined();
  });

  it("is the running one's, and each waiting one's estimate", () => {
    expect(secondsLeft([running(5), running(9)], [])).toBe(9);
    const small: PhotoProgress = { phase: 'PENDING', estimate: { seconds: 2 } };
    const changed: PhotoProgress = { ...small, record: { estimate: { seconds: 30 } } };
    expect(secondsLeft([running(4), small, changed], [])).toBe(36);
  });

  it('is shared by all machines that help', () => {
    const photo: PhotoProgress = { phase: 'PENDING', estimate: { seconds: 30 } };
    expect(secondsLeft([running(4), photo, photo], [], 3)).toBe(24);
  });
});

describe('the time that is left by what is measured', () => {
  it('counts photos alike of which nothing is known', () => {
    const left = secondsLeft([waiting, waiting], [ended(0, 10), ended(10, 20)]);
    expect(left).toBe(20);
  });

  it('is no less than what a running one needs by itself', () => {
    const last: PhotoProgress = { phase: 'PROCESSING', progress: 50, etaSeconds: 55 };
    expect(secondsLeft([last], [ended(0, 12), ended(12, 24)])).toBe(55);
  });

  it('falls second by second while a photo runs that is slower than foretold', () => {
    const small: PhotoProgress = { phase: 'PENDING', estimate: { seconds: 2 } };
    const smalls = Array.from({ length: 30 }, () => small);
    const done = Array.from({ length: 30 }, (_, index) => ended(2 * index, 2 * index + 2, 2));
    const print = (progress: number, etaSeconds: number): PhotoProgress => ({
      phase: 'PROCESSING',
      progress,
      etaSeconds,
      estimate: { seconds: 20 },
    });
    const left = (progress: number, eta: number) =>
      secondsLeft([print(progress, eta), ...smalls], done);
    expect(left(10, 216)).toBeCloseTo(276);
    expect(left(50, 120)).toBeCloseTo(180);
    expect(left(90, 24)).toBeCloseTo(84);
  });

  it('leaves out what failed before anything was known of it', () => {
    const failed: PhotoProgress = {
      phase: 'FAILED',
      record: { startedAt: at(10), finishedAt: at(10.1) },
    };
    const large: PhotoProgress = { phase: 'PENDING', estimate: { seconds: 40 } };
    expect(secondsLeft([large], [ended(0, 10, 20), failed])).toBe(20);
  });

  it('does not take the pixels of photos for seconds when only a failed one has ended', () => {
    const size = { width: 8000, height: 5600 };
    const failed: PhotoProgress = {
      phase: 'FAILED',
      record: { startedAt: at(0), finishedAt: at(12), estimate: { seconds: 30, ...size } },
    };
    const left = secondsLeft([{ phase: 'PENDING', estimate: size }], [failed]) ?? 0;
    expect(left).toBeLessThan(3600);
  });

  it('leaves out what ended before a pause', () => {
    expect(secondsLeft([waiting], [ended(0, 100), ended(3600, 3610), ended(3610, 3620)])).toBe(10);
  });

  it('counts a running photo by what is left of it', () => {
    const half: PhotoProgress = { phase: 'PROCESSING', progress: 50 };
    expect(secondsLeft([half, waiting], [ended(0, 10)])).toBe(15);
  });

  it('weighs by pixels where not all have seconds', () => {
    const size = (width: number) => ({ estimate: { width, height: 10 } });
    const done = { ...ended(0, 10), record: { ...ended(0, 10).record, ...size(100) } };
    expect(secondsLeft([{ phase: 'PENDING', ...size(300) }], [done])).toBe(30);
  });

  it('is within a fifth after the first tenth, though estimates are four times too long', () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const photos = batchOf(60, seed);
      const total = photos.at(-1)?.to ?? 0;
      for (let done = 6; done < 58; done += 4) {
        const finished = photos.slice(0, done).map(({ from, to, told }) => ended(from, to, told));
        const left = photos
          .slice(done)
          .map(({ told }): PhotoProgress => ({ phase: 'PENDING', estimate: { seconds: told } }));
        const truly = total - (photos[done - 1]?.to ?? 0);
        const off = Math.abs((secondsLeft(left, finished) ?? 0) / truly - 1);
        expect(off, `seed ${seed}, ${done} done`).toBeLessThan(0.2);
      }
    }
  });
});

describe('the time that is left by the work that was measured', () => {
  /** Photos as they were measured on two cores: a part of the time is the same for all. */
  const kinds = {
    upscale: { constant: 0.5, each: 3.9, toldEach: 2.9, options: { model: 'natural', scale: 2 } },
    'remove-bg': { constant: 1.5, each: 0.2, toldEach: 0.8, options: { model: 'cutout' } },
  } as const;
  interface Asked {
    operation: keyof typeof kinds;
    megapixels: number;
  }
  const workOf = ({ operation, megapixels }: Asked) =>
    kinds[operation].constant + kinds[operation].each * megapixels;

  /** @param speed at which it is foretold: what was measured last */
  function photoOf({ operation, megapixels }: Asked, speed = 1) {
    const { toldEach, options } = kinds[operation];
    const seconds = toldEach * megapixels * speed;
    const estimate = { seconds, width: 1000 * megapixels, height: 1000 };
    return { operation, options: options as never, estimate };
  }
  const endedOf = (one: Asked, from: number, speed = 1): PhotoProgress => ({
    phase: 'FINISHED',
    record: {
      ...photoOf(one, speed),
      ...{ startedAt: at(from), finishedAt: at(from + workOf(one)) },
      timings: { networkMs: workOf(one) * 900, encodeMs: workOf(one) * 100, waitMs: 5000 },
    },
  });

  function oneAfterTheOther(all: readonly Asked[], done: number, speed: (i: number) => number) {
    let second = 0;
    const ended = all.slice(0, done).map((one, i) => {
      const photo = endedOf(one, second, speed(i));
      second += workOf(one);
      return photo;
    });
    const left = all.slice(done);
    const waiting = left.map((one): PhotoProgress => ({
      phase: 'PENDING',
      record: photoOf(one, speed(done)),
    }));
    const truly = left.reduce((sum, one) => sum + workOf(one), 0);
    return (secondsLeft(waiting, ended) ?? 0) / truly;
  }

  it('is within a third after a tenth of eighty small photos and two RAW files', () => {
    const raw = { operation: 'upscale', megapixels: 24 } as const;
    const small = Array.from({ length: 80 }, (_, i): Asked => ({
      operation: 'upscale',
      megapixels: 0.2 + 0.012 * ((7 * i) % 5),
    }));
    for (const at of [40, 81]) {
      const all = [...small.slice(0, at), raw, ...small.slice(at), raw];
      expect(
        oneAfterTheOther(all, 8, () => 1),
        `RAW after ${at}`,
      ).toBeGreaterThan(2 / 3);
      expect(
        oneAfterTheOther(all, 8, () => 1),
        `RAW after ${at}`,
      ).toBeLessThan(4 / 3);
    }
  });

  const sizes = [0.11, 0.81, 0.33, 1.31, 0.67, 0.24, 1.12, 0.54, 0.14, 0.82, 0.43, 1.23];
  const mixed = Array.from({ length: 24 }, (_, i): Asked => ({
    operation: i % 3 === 2 ? 'remove-bg' : 'upscale',
    megapixels: sizes[(i * 7) % sizes.length] ?? 1,
  }));

  it('knows from two what is the same for all photos and what goes with their pixels', () => {
    const all = sizes.map((megapixels): Asked => ({ operation: 'upscale', megapixels }));
    expect(oneAfterTheOther(all, 2, () => 1)).toBeCloseTo(1, 2);
  });

  it('stays true when what is foretold has changed on the way', () => {
    for (let done = 4; done < 22; done += 1) {
      const left = oneAfterTheOther(mixed, done, (i) => (i < 6 ? 1 : 1.4));
      expect(Math.abs(left - 1), `${done} done`).toBeLessThan(0.2);
    }
  });

  it('takes those of a kind that nobody has seen yet by what is foretold', () => {
    const large = { operation: 'upscale', megapixels: 1 } as const;
    const told = photoOf({ operation: 'remove-bg', megapixels: 1 });
    const waiting: PhotoProgress = { phase: 'PENDING', record: told };
    // Nine tenths of the large one's time was its network, beside which another photo waits for its own.
    expect(secondsLeft([waiting], [endedOf(large, 0)])).toBeCloseTo(0.8 / 1.8);
  });

  it('counts one that failed for no more than the time it had', () => {
    const one = { operation: 'upscale', megapixels: 1 } as const;
    const failed = (until: number): PhotoProgress => ({
      phase: 'FAILED',
      record: { ...photoOf(one), startedAt: at(workOf(one)), finishedAt: at(until) },
    });
    const waiting: PhotoProgress = { phase: 'PENDING', record: photoOf(one) };
    const left = (until: number) => secondsLeft([waiting], [endedOf(one, 0), failed(until)]);
    expect(left(workOf(one) + 0.5)).toBeCloseTo(workOf(one), 0);
    expect(left(3 * workOf(one))).toBeCloseTo((workOf(one) * 3) / 2);
  });
});

describe('the time that is left when the kind of work changes', () => {
  /** Seconds in the network, which one photo has at a time, and beside others. */
  interface Kind {
    operation: 'upscale' | 'remove-bg';
    network: number;
    other: number;
    estimate: { seconds?: number; width: number; height: number };
  }
  // As measured on a busy machine. The first enlargements had no seconds, and the canvas is larger than their results.
  const enlargement: Kind = {
    operation: 'upscale',
    network: 27,
    other: 4,
    estimate: { seconds: 22, width: 1024, height: 1024 },
  };
  const untimed: Kind = { ...enlargement, estimate: { width: 1024, height: 1024 } };
  const cutout: Kind = {
    operation: 'remove-bg',
    network: 1.5,
    other: 11.5,
    estimate: { seconds: 13, width: 2000, height: 2000 },
  };
  const times = (count: number, kind: Kind) => Array.from({ length: count }, () => kind);

  /** Two photos run at a time; each prepares, waits for the network, and is encoded. */
  function ranOf(kinds: readonly Kind[], seed: number) {
    const random = randomOf(seed);
    const slots = [0, 0];
    let networkFree = 0;
    return kinds.map((kind) => {
      const from = Math.min(...slots);
      const network = kind.network * (0.8 + 0.4 * random());
      const other = kind.other * (0.8 + 0.4 * random());
      const begin = Math.max(networkFree, from + other / 4);
      networkFree = begin + network;
      const to = networkFree + 0.75 * other;
      slots[slots.indexOf(from)] = to;
      const timings = { networkMs: 1000 * network, encodeMs: 1000 * other };
      return { ...{ kind, from, begin, to, timings }, work: network + other };
    });
  }

  function seenAt(
    now: number,
    { kind, from, begin, to, timings, work }: ReturnType<typeof ranOf>[0],
  ) {
    const { operation, estimate } = kind;
    const record = { operation, estimate, options: {} as never, startedAt: at(from) };
    if (from >= now) return { phase: 'PENDING', record };
    if (to <= now) return { phase: 'FINISHED', record: { ...record, finishedAt: at(to), timings } };
    const prepared = work - (to - begin);
    const progress = (100 * (Math.min(now - from, prepared) + Math.max(0, now - begin))) / work;
    return { phase: 'PROCESSING', record, progress, ...(begin < now && { etaSeconds: to - now }) };
  }

  it.each([
    [
      'enlargements, then cut-outs',
      [...times(6, untimed), ...times(6, enlargement), ...times(12, cutout)],
    ],
    ['cut-outs, then enlargements', [...times(12, cutout), ...times(12, enlargement)]],
    ['both by turns', times(10, enlargement).flatMap((one) => [one, cutout])],
    ['many enlargements, then a few cut-outs', [...times(30, enlargement), ...times(8, cutout)]],
  ])('is within a third after a tenth: %s', (_, kinds) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const ran = ranOf(kinds, seed);
      const ends = ran.map(({ to }) => to).sort((a, b) => a - b);
      const end = ends.at(-1) ?? 0;
      for (let now = ends[Math.ceil(ran.length / 10)] ?? 0; now < 0.9 * end; now += end / 50) {
        const photos = ran.map((one): PhotoProgress => seenAt(now, one));
        const { ended = [], active = [] } = Object.groupBy(photos, ({ phase }) =>
          phase === 'FINISHED' ? 'ended' : 'active',
        );
        const share = (secondsLeft(active, ended) ?? 0) / (end - now);
        const when = `seed ${seed}, ${now.toFixed()} of ${end.toFixed()}`;
        expect(Math.abs(share - 1), when).toBeLessThan(1 / 3);
      }
    }
  });
});

describe('the time that is left over all machines of a pool', () => {
  it.each([1, 2, 10, 60])(
    'is within a quarter from a tenth to two thirds, with %i photos at a time',
    (together) => {
      for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const photos = sharedBatchOf(20 * together, together, seed);
        const total = photos.at(-1)?.to ?? 0;
        for (let done = 2 * together; done < 14 * together; done += together) {
          const now = photos[done - 1]?.to ?? 0;
          const active = photos.slice(done).map(({ from, to, told }): PhotoProgress => ({
            estimate: { seconds: told },
            phase: from < now ? 'PROCESSING' : 'PENDING',
            ...(from < now && {
              progress: (100 * (now - from)) / (to - from),
              etaSeconds: to - now,
              record: { startedAt: at(from), estimate: { seconds: told } },
            }),
          }));
          const finished = photos.slice(0, done).map(({ from, to, told }) => ended(from, to, told));
          const off = Math.abs((secondsLeft(active, finished) ?? 0) / (total - now) - 1);
          expect(off, `seed ${seed}, ${done} done`).toBeLessThan(0.25);
        }
      }
    },
  );
});

describe('the share of a batch', () => {
  it('counts running photos by their progress', () => {
    const half: PhotoProgress = { phase: 'PROCESSING', progress: 50 };
    expect(batchPercent(1, [half, waiting, waiting])).toBe(37);
    expect(batchPercent(0, [])).toBe(0);
  });
});

/** Numbers from 0 to 1 that are the same for each seed. */
function randomOf(seed: number): () => number {
  let state = seed * 7919;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Photos of 2 to 24 megapixels one after the other; each takes a quarter of what it was told, and a little more. */
function batchOf(count: number, seed: number) {
  const random = randomOf(seed);
  let from = 0;
  return Array.from({ length: count }, () => {
    const told = 2 + 22 * random();
    const to = from + told * 0.25 * (0.9 + 0.2 * random()) + 0.3;
    const photo = { from, to, told };
    from = to;
    return photo;
  });
}

/** The same, so many at a time: each begins when one has ended. In the order of their ends. */
function sharedBatchOf(count: number, together: number, seed: number) {
  const free = Array.from({ length: together }, () => 0);
  return batchOf(count, seed)
    .map(({ from, to, told }) => {
      const begin = Math.min(...free);
      const end = begin + (to - from);
      free[free.indexOf(begin)] = end;
      return { from: begin, to: end, told };
    })
    .sort((a, b) => a.to - b.to);
}

describe('the share of the work that is done', () => {
  it('counts a photo by what it takes, and the running one by its progress', () => {
    const raw: PhotoProgress = { phase: 'PENDING', estimate: { seconds: 90 } };
    const small = (phase: string): PhotoProgress => ({
      phase,
      estimate: { seconds: 5 },
      progress: 50,
    });
    expect(shareDone([raw, small('PENDING')], [small('FINISHED')])).toBeCloseTo(0.05);
    expect(shareDone([small('PROCESSING'), small('PENDING')], [])).toBeCloseTo(0.25);
    expect(shareDone([], [])).toBe(0);
  });
});
