/** GET /api/health. */
import { Health } from '../../../packages/contract/src/settings/settings.ts';
import {
  type Api,
  challengeHeader,
  isChallenge,
  proofHeader,
  answers,
  ref,
  type Keyring,
} from '../../../packages/http/src/index.ts';
import type { Tasks } from '../tasks/tasks.ts';

export interface HealthDeps {
  keyring: Pick<Keyring, 'proofFor'>;
  tasks: Pick<Tasks, 'waits'>;
  version: string;
  /** Port of the server. */
  port(): number;
}

export function healthRoutes(app: Api, deps: HealthDeps): void {
  app.get(
    '/api/health',
    {
      config: { open: true },
      schema: {
        tags: ['service'],
        summary: 'Get the health of the service; needs no key',
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
