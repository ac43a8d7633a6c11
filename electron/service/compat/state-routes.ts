/** GET /api/compat: where programs written for other services are answered. */
import { CompatState } from '../../contract/admin.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';

export function compatStateRoutes(app: Api, { compat }: Pick<ApiDeps, 'compat'>): void {
  app.get(
    '/api/compat',
    {
      config: { administers: true },
      schema: {
        tags: ['settings'],
        summary: 'Where programs written for other services are answered',
        description: 'The settings compatOn, compatPort and compatKeyless change it.',
        response: answers({ 200: ref(CompatState) }, 'FORBIDDEN_KEY'),
      },
    },
    () => compat.state(),
  );
}
