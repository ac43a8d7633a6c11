/** OpenAPI description from the schemas that validate, and a page that shows it offline. */
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { ErrorBody } from '../../contract/src/common.ts';
import type { Api } from './server.ts';
import { asOpenApi } from './openapi-schemas.ts';
import { documentationPage } from './documentation-page.ts';
import { ref } from './schemas.ts';

const docsPath = '/api/docs';
const descriptionPath = '/api/openapi.json';

/** Must run before routes are registered, because it hooks their registration. */
export async function documentRoutes(app: Api, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: descriptionOf(version),
    hideUntagged: true,
    transformObject(input) {
      if (!('openapiObject' in input)) return input.swaggerObject;
      nameOperations(input.openapiObject.paths ?? {});
      describeCallbacks(input.openapiObject.paths ?? {});
      return input.openapiObject;
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json.$id === 'string' ? json.$id : `schema-${i}`,
    },
    transform: ({ schema, url, route }) => ({
      schema: withCommonAnswers(schema, route.config),
      url,
    }),
  });
  app.get(
    descriptionPath,
    {
      config: { open: true },
      schema: {
        tags: ['service'],
        summary: 'This description (OpenAPI 3.1)',
        response: {
          200: { description: 'OpenAPI 3.1', type: 'object', additionalProperties: true },
        },
      },
    },
    () => ({ ...asOpenApi(app.swagger()) }),
  );
  await app.register(async (scope) => documentationPage(scope, docsPath, descriptionPath));
}

/**
 * Default operation ids: GET /api/tasks/{taskId} is getTasksByTaskId. HEAD shares its route, and so its name,
 * with GET.
 */
function nameOperations(paths: Record<string, PathItem | undefined>): void {
  for (const [url, item = {}] of Object.entries(paths))
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined) continue;
      const isNamed = operation.operationId !== undefined && method !== 'head';
      // The methods of a route share one object.
      if (!isNamed) item[method] = { ...operation, operationId: operationIdOf(method, url) };
    }
}

/** The POSTs that a submit's callbackUrl receives. */
function describeCallbacks(paths: Record<string, PathItem | undefined>): void {
  const header = (name: string, description: string) => ({
    ...{ name, description, in: 'header', required: true, schema: { type: 'string' } },
  });
  const message = (operationId: string, summary: string) => ({
    post: {
      operationId,
      summary,
      description: 'Signed as in Standard Webhooks; repeated until the response is 2xx.',
      parameters: [
        header('webhook-id', 'The same where it is sent again.'),
        header('webhook-timestamp', 'Seconds since 1970.'),
        header('webhook-signature', 'v1, and HMAC-SHA256 in Base64 of id.timestamp.body.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/TaskEventMessage' } },
        },
      },
      responses: { '2XX': { description: 'The event was received.' } },
    },
  });
  for (const url of ['/api/image-upscaler', '/api/remove-bg']) {
    const submit = paths[url]?.post;
    if (submit === undefined) continue;
    const by = submit.operationId ?? operationIdOf('post', url);
    const to = (post: object) => ({ '{$request.body#/callbackUrl}': post });
    submit.callbacks = {
      started: to(message(`${by}Started`, 'The task has started, if callbackEvents name it')),
      ended: to(message(`${by}Ended`, 'The task has ended')),
    };
  }
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
type PathItem = Partial<Record<(typeof methods)[number], DocumentedOperation>>;
interface DocumentedOperation {
  operationId?: string;
  callbacks?: object;
}

function operationIdOf(method: string, url: string): string {
  const words = url
    .replace(/^\/api\//, '')
    .replaceAll('{', 'by-')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${method}${words.join('')}`;
}

/** Adds the errors that every route may return: of guards, keys, body and internal faults. */
function withCommonAnswers(
  schema: FastifySchema,
  config: FastifyContextConfig = {},
): FastifySchema {
  const own = { ...Object(schema.response) } as Record<string, { description?: string }>;
  const ownDescription = (status: string) => own[status]?.description ?? [];
  const invalid = [
    schema.body === undefined ? [] : 'INVALID_REQUEST',
    ownDescription('400'),
  ].flat();
  const forbidden = ['FORBIDDEN_HOST', 'FORBIDDEN_ORIGIN', ownDescription('403')].flat();
  if (config.administers === true) forbidden.push('FORBIDDEN_KEY');
  const response = {
    ...own,
    ...(config.open !== true && {
      401: refusal('UNAUTHORIZED'),
      429: refusal('TOO_MANY_REQUESTS'),
    }),
    ...(invalid.length > 0 && { 400: refusal(invalid.join(', ')) }),
    403: refusal(forbidden.join(', ')),
    500: refusal('INTERNAL'),
  };
  return {
    ...schema,
    response,
    ...(config.shownBody !== undefined && { body: config.shownBody }),
    ...(config.open === true && { security: [] }),
  };
}

function refusal(description: string) {
  return { ...ref(ErrorBody), description };
}

type Description = NonNullable<FastifyDynamicSwaggerOptions['openapi']>;

function descriptionOf(version: string): Description {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Enlarger',
      version,
      description:
        'Enlarges photographs on this machine. Every call carries `Authorization: KEY <API_KEY>`, or the same key as `Bearer`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Order in the documentation.
    tags: ['tasks', 'queue', 'uploads', 'results', 'models', 'settings', 'keys', 'service'].map(
      (name) => ({ name }),
    ),
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The word KEY, one space, the key: the one in cli.key, or one made in the settings.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The idempotency key.' },
      },
    },
    // Generated clients send the first: a key alone makes a Bearer header.
    security: [{ bearer: [] }, { key: [] }],
  };
}
