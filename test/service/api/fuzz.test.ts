/** Every parameter and every body of every route that is described: never a 5xx, and what is refused is not stored. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** What ends the service's work or waits for others by design; the test goes on with the same service. */
const left = ['GET /api/tasks/sse', 'GET /api/task/{taskId}/sse', 'GET /api/models/obtain/sse'];

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...[
      '',
      ' ',
      '\0',
      '\ud800',
      '../../x',
      '/',
      'a'.repeat(5000),
      'data:;base64,AAAA',
      'file:///etc/passwd',
    ],
    ...['http://127.0.0.1:1/', '{constructor}', '{name}', '__proto__', 'NaN', '1e999', '%00', '%'],
    ...[0, -1, 0.5, 1e300, -0, Number.MAX_SAFE_INTEGER, true, false, null, [], {}, [[]], [null]],
  ),
);

/** Often what the schema wants, and often something else. */
function valueOf(
  schema: Schema,
  all: Description['components']['schemas'],
  depth = 0,
): fc.Arbitrary<unknown> {
  if (depth > 4) return odd;
  const next = (one: Schema) => valueOf(one, all, depth + 1);
  const named = schema.$ref === undefined ? undefined : all[schema.$ref.split('/').at(-1) ?? ''];
  if (named) return next(named);
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(next));
    if (schema.properties) {
      const fields = Object.entries(schema.properties).map(([name, one]) => [name, next(one)]);
      const known = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: [],
      });
      return fc
        .tuple(
          known,
          fc.dictionary(fc.constantFrom('x', '__proto__', 'constructor'), odd, { maxKeys: 1 }),
        )
        .map(([a, b]) => ({ ...a, ...b }));
    }
    if (schema.type === 'array') return fc.array(next(schema.items ?? {}), { maxLength: 3 });
    if (schema.type === 'boolean') return fc.boolean();
    if (schema.type === 'integer' || schema.type === 'number') return fc.integer(rangeOf(schema));
    return fc.string({ maxLength: 40, unit: 'binary' });
  };
  return fc.oneof({ weight: 4, arbitrary: fitting() }, { weight: 1, arbitrary: odd });
}

function rangeOf({ minimum = -2, maximum = 100 }: Schema): { min: number; max: number } {
  const min = Math.max(-(2 ** 31), Math.floor(minimum));
  return { min, max: Math.max(min, Math.min(2 ** 31 - 1, Math.ceil(maximum))) };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

async function send(
  service: TestService,
  method: string,
  path: string,
  values: { params: Record<string, unknown>; body: unknown },
  operation: Operation,
): Promise<{ status: number; text: string }> {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let route = path;
  for (const { name, in: where } of operation.parameters ?? []) {
    const value = values.params[name];
    const text = textOf(value);
    if (where === 'path')
      route = route.replace(`{${name}}`, encodeURIComponent(text.toWellFormed()) || 'x');
    else if (value === undefined) continue;
    else if (where === 'query') query.append(name, text);
    else if (/^[\x20-\x7e]*$/.test(text)) headers[name] = text;
  }
  const body = operation.requestBody && JSON.stringify(values.body);
  return service.call(method.toUpperCase(), `${route}?${query.toString()}`, body, headers);
}

const changing = ['lastUsedAt', 'state', 'counts', 'checkedAt'];
const ofTask = ['taskId', 'operation', 'options', 'priority', 'mark'];

/** What was given, without what the service says of it: times, states and how far it is. */
async function stored(service: TestService): Promise<string> {
  const routes = ['/api/tasks', '/api/presets', '/api/watches', '/api/keys', '/api/settings'];
  const responses = await Promise.all(routes.map((route) => service.call('GET', route)));
  const withoutChanging = (name: string, value: unknown): unknown => {
    if (changing.includes(name)) return undefined;
    if (typeof value !== 'object' || value === null || !('taskId' in value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([field]) => ofTask.includes(field)));
  };
  return JSON.stringify(
    responses.map(({ body }) => body),
    withoutChanging,
  );
}

describe('a call of any shape', () => {
  it('to any route is answered, never by a fault of ours, and is not stored when it is refused', async () => {
    const service = await openService({ script: () => ({ do: 'fail', code: 'UNREADABLE_IMAGE' }) });
    await service.call('POST', '/api/queue/pause');
    const description = (await service.call('GET', '/api/openapi.json')).body as Description;
    const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => !left.includes(`${method.toUpperCase()} ${path}`))
        .map(([method, operation]) => ({ method, path, operation })),
    );
    expect(calls.length).toBeGreaterThan(60);
    const taskId = await service.submit();
    const schemas = description.components.schemas;
    const numRuns = Number(process.env['ENLARGER_FUZZ_RUNS'] ?? 4);
    /** Known where the call before was refused. */
    let unchanged: string | undefined;
    for (const { method, path, operation } of calls) {
      const params = Object.fromEntries(
        (operation.parameters ?? []).map(({ name, in: where, schema }) => {
          const known =
            where === 'path'
              ? fc.constantFrom<unknown>(taskId, 'x')
              : valueOf(schema ?? {}, schemas);
          return [name, fc.oneof(known, odd)];
        }),
      );
      const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
      const values = fc.record({ params: fc.record(params), body: valueOf(schema, schemas) });
      await fc.assert(
        fc.asyncProperty(values, async (given) => {
          const before = unchanged ?? (await stored(service));
          const { status, text } = await send(service, method, path, given, operation);
          const isFault = status >= 500 && !/"code":"(MODEL_UNAVAILABLE|STORAGE_FULL)"/.test(text);
          expect(isFault ? `${method} ${path}: ${status} ${text}` : '').toBe('');
          unchanged = status < 400 ? undefined : before;
          if (unchanged !== undefined) expect(await stored(service)).toEqual(unchanged);
        }),
        { numRuns, seed: 20 },
      );
    }
    expect((await service.call('GET', '/api/health')).status).toBe(200);
  }, 300_000);
});
