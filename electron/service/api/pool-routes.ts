/** GET /api/pool: helpers, their work, and the speed-up. */
import { PoolView, type HelperView } from '../../../packages/contract/src/settings/pool.ts';
import { type Api, answers, ref } from '../../../packages/http/src/index.ts';
import type { JobRunner, Pool } from '../../../packages/pool/src/index.ts';

export interface PoolDeps {
  pool: Pick<Pool, 'view'>;
  jobRunner: Pick<JobRunner, 'ended'>;
}

export function poolRoutes(app: Api, { pool, jobRunner }: PoolDeps): void {
  app.get(
    '/api/pool',
    {
      config: { administers: true },
      schema: {
        tags: ['pool'],
        summary: 'Get the state, speed and problems of the machines in the pool',
        response: answers({ 200: ref(PoolView) }),
      },
    },
    () => {
      const view = pool.view();
      return { ...view, speedup: speedupOf(jobRunner.ended, view.helpers) };
    },
  );
}

/**
 * Factor by which the pool is faster than this machine alone. 1 before the first task ended here, and when no
 * helper is connected.
 */
export function speedupOf(
  { here, elsewhere }: JobRunner['ended'],
  helpers: readonly Pick<HelperView, 'isThis' | 'state'>[],
): number {
  const areThere = helpers.some(({ isThis, state }) => !isThis && state !== 'away');
  return here === 0 || !areThere ? 1 : (here + elsewhere) / here;
}
