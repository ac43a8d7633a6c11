/** GET /api/health: that it answers, and nothing else. */
import { Health } from '../../contract/admin.ts';
import type { Api, ApiDeps } from './deps.ts';
import { answers, ref } from './schemas.ts';

export function healthRoutes(app: Api, { version }: ApiDeps): void {
  app.get(
    '/api/health',
    {
      config: { open: true },
      schema: {
        tags: ['service'],
        summary: 'Whether the service answers. No key',
        response: answers({ 200: ref(Health) }),
      },
    },
    () => ({ status: 'ok' as const, version }),
  );
}
