/** GET and PUT /api/callbacks/secret: the key of callbacks' signatures. */
import { CallbackSecret } from '../../../packages/contract/src/settings/settings.ts';
import { type Api, answers, ref } from '../../../packages/http/src/index.ts';

export interface CallbackDeps {
  callbackSecret: { get(): Buffer; set(secret: Buffer): void };
}

export function callbackRoutes(app: Api, { callbackSecret }: CallbackDeps): void {
  app.get(
    '/api/callbacks/secret',
    {
      config: { administers: true },
      schema: {
        tags: ['keys'],
        summary: 'Get the secret that signs webhooks',
        description:
          'X-Enlarger-Signature is sha256= and the hex of HMAC-SHA256, with the bytes of this secret, over X-Enlarger-Timestamp, a point and the body.',
        response: answers({ 200: ref(CallbackSecret) }),
      },
    },
    () => ({ secret: callbackSecret.get().toString('hex') }),
  );
  app.put(
    '/api/callbacks/secret',
    {
      config: { administers: true },
      schema: {
        tags: ['keys'],
        summary: 'Replace the secret that signs webhooks',
        body: ref(CallbackSecret),
        response: answers({ 200: ref(CallbackSecret) }, 'STORAGE_FULL'),
      },
    },
    ({ body }) => {
      callbackSecret.set(Buffer.from(body.secret, 'hex'));
      return { secret: callbackSecret.get().toString('hex') };
    },
  );
}
