/** What 1 to 50 helpers come to, simulated from measured times: the product's own choice of late tasks, no queue. */
import { helperSlots } from '../../packages/pool/src/help/helper.ts';
import { chooseStraggler } from '../../packages/pool/src/stragglers.ts';

/** Helpers of differing speeds take photos as they become free; what is late is started again as chooseStraggler says. */
export function simulate({ alone, pool }: { alone: number; pool: number }): void {
  const photos = 500;
  const megapixels = 12;
  const onTheWay = Math.max(0, pool - alone);
  const rows: Record<string, object> = {};
  for (const count of [1, 2, 3, 4, 8, 16, 32, 50]) {
    for (const kind of ['alike', 'from 1 to 1/4 as fast']) {
      const speeds = Array.from({ length: count }, (_, i) => {
        const share = kind === 'alike' ? 1 : 1 - (0.75 * i) / Math.max(1, count - 1);
        return (megapixels / alone) * share;
      });
      const sum = speeds.reduce((all, speed) => all + speed, 0);
      const ideal = (photos * megapixels) / sum;
      const took = batchSeconds(speeds, photos, megapixels, onTheWay, true);
      const without = batchSeconds(speeds, photos, megapixels, onTheWay, false);
      rows[`${count} ${kind}`] = {
        'share of what all could do': (ideal / took).toFixed(3),
        'without second starts': (ideal / without).toFixed(3),
        minutes: (took / 60).toFixed(1),
      };
    }
  }
  console.log(
    `${photos} photos of ${megapixels} megapixels, simulated from ${alone.toFixed(1)} s each and ${onTheWay.toFixed(2)} s on the way (behind the work of the other of ${helperSlots} at a time):`,
  );
  console.table(rows);
}

function batchSeconds(
  speeds: number[],
  photos: number,
  megapixels: number,
  onTheWay: number,
  again: boolean,
): number {
  interface Work {
    photo: number;
    helper: number;
    startedAt: number;
    endsAt: number;
  }
  const running = new Map<number, Work>();
  const done = new Set<number>();
  let next = 0;
  let now = 0;
  const begin = (helper: number, photo: number) => {
    const isFirst = now === 0;
    const seconds = megapixels / (speeds[helper] ?? 1) + (isFirst ? onTheWay : 0);
    running.set(helper, { photo, helper, startedAt: now, endsAt: now + seconds });
  };
  while (done.size < photos) {
    for (const [helper, speed] of speeds.entries()) {
      if (running.has(helper)) continue;
      if (next < photos) begin(helper, next++);
      else if (again) {
        const once = [...running.values()].filter(
          ({ photo: one }) =>
            [...running.values()].filter(({ photo: other }) => other === one).length === 1,
        );
        const late = chooseStraggler(
          once.map((work) => ({
            ...work,
            megapixels,
            ageSeconds: now - work.startedAt,
            megapixelsPerSecond: speeds[work.helper],
            percent: (100 * (now - work.startedAt)) / (work.endsAt - work.startedAt),
          })),
          speed,
        );
        if (late) begin(helper, late.running.photo);
      }
    }
    const first = [...running.values()].sort((a, b) => a.endsAt - b.endsAt)[0];
    if (!first) break;
    now = first.endsAt;
    done.add(first.photo);
    for (const work of [...running.values()])
      if (work.photo === first.photo) running.delete(work.helper);
  }
  return now + onTheWay;
}
