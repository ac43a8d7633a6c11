/** GET /api/pool: who helps, what each does, and how much faster all are together. */
import { PoolView } from '../../contract/pool.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';

export function poolRoutes(app: Api, { pool, anywhere }: Pick<ApiDeps, 'pool' | 'anywhere'>): void {
  app.get(
    '/api/pool',
    {
      config: { administers: true },
      schema: {
        tags: ['pool'],
        summary: 'Machines that share the batch: what each does, how fast, and what is wrong',
        response: answers({ 200: ref(PoolView) }, 'FORBIDDEN_KEY'),
      },
    },
    () => ({ ...pool.view(), speedup: speedupOf(anywhere.ended) }),
  );
}

/** Nothing ended here yet: nothing can be said. */
const speedupOf = ({ here, elsewhere }: { here: number; elsewhere: number }) =>
  here === 0 ? 1 : (here + elsewhere) / here;
