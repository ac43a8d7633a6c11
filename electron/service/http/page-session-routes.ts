/** POST /api/sessions: a page's key for an application that found this service running. */
import { SessionKey } from '../../contract/admin.ts';
import type { Api, ApiDeps } from './deps.ts';
import { answers, ref } from './schemas.ts';

export function pageSessionRoutes(app: Api, { keyring }: Pick<ApiDeps, 'keyring'>): void {
  app.post(
    '/api/sessions',
    {
      config: { administers: true },
      schema: {
        tags: ['keys'],
        summary: 'Make a session key for a page; it lives as long as the service runs',
        response: answers({ 200: ref(SessionKey) }, 'FORBIDDEN_KEY'),
      },
    },
    () => ({ key: keyring.newSessionKey() }),
  );
}
