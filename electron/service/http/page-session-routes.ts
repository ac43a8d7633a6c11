/** A page's key, and a link that opens the page, for a program that found this service running. */
import { PageLink, SessionKey } from '../../contract/admin.ts';
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

  app.post(
    '/api/page-links',
    {
      config: { administers: true },
      schema: {
        tags: ['keys'],
        summary: 'Make a link that opens the page once',
        response: answers({ 200: ref(PageLink) }, 'FORBIDDEN_KEY'),
      },
    },
    ({ host }) => ({ pageUrl: `http://${host}/#token=${keyring.newPageToken()}` }),
  );
}
