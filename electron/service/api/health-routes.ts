/** GET /api/health answers that the service runs, and no more than that. */
import { Health } from '../../contract/settings/settings.ts';
import type { Api } from '../http/server.ts';
import type { ApiDeps } from './deps.ts';
import { challengeHeader, isChallenge, proofHeader } from '../http/access/proof.ts';
import { answers, ref } from '../http/schemas.ts';

export function healthRoutes(app: Api, deps: ApiDeps): void {
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
    ({ headers }, reply) => {
      const challenge = headers[challengeHeader];
      if (isChallenge(challenge))
        void reply.header(proofHeader, deps.keyring.proofFor(deps.port(), challenge));
      const status = deps.tasks.waits ? ('waiting' as const) : ('ok' as const);
      return { status, version: deps.version };
    },
  );
}
