/** GET /api/pool answers who helps, what each machine does, and how much faster all of them are. */
import { PoolView, type HelperView } from '../../contract/settings/pool.ts';
import type { Api } from '../http/server.ts';
import { answers, ref } from '../http/schemas.ts';
import type { JobRunner } from '../pool/job-runner.ts';
import type { Pool } from '../pool/pool.ts';

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
        summary: 'Machines that share the batch: what each does, how fast, and what is wrong',
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
 * Answers how many times faster the pool is than this machine alone. It is 1 where no task ended here yet,
 * and where nobody helps any more, because what ended before says nothing of now.
 */
export function speedupOf(
  { here, elsewhere }: JobRunner['ended'],
  helpers: readonly Pick<HelperView, 'isThis' | 'state'>[],
): number {
  const areThere = helpers.some(({ isThis, state }) => !isThis && state !== 'away');
  return here === 0 || !areThere ? 1 : (here + elsewhere) / here;
}
