/** Bodies and forms of every shape, to every route of every family: never a 5xx, and nothing is left on the disk. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leftFiles, openCompatService, type CompatService } from '../../support/compat-service.ts';

const routes = [
  '/v1.0/removebg',
  '/api/remove',
  '/v1/images/edits',
  '/v1/images/variations',
  '/v1/images/upscale',
  '/sdapi/v1/extra-single-image',
  '/sdapi/v1/extra-batch-images',
  '/sdapi/v1/interrupt',
];

const field = fc.constantFrom(
  ...[
    'image',
    'image[]',
    'image_file',
    'image_url',
    'image_file_b64',
    'file',
    'url',
    'size',
    'model',
  ],
  ...[
    'prompt',
    'n',
    'mask',
    'crop',
    'crop_margin',
    'bg_color',
    'bg_image_url',
    'bg_image_file',
    'scale',
    'position',
    'add_shadow',
    'shadow_opacity',
    'roi',
    'format',
    'channels',
    'om',
    'a',
    'af',
  ],
  ...['upscaler_1', 'resize_mode', 'upscaling_resize', 'imageList', 'response_format', 'stream'],
  '__proto__',
);
const value = fc.oneof(
  fc.string(),
  fc.constantFrom('true', '0', '-1', '1e9', 'data:,x', 'http://[', '\u0000', 'ä'),
);

/** No engine ends these: what gets that far is refused by the tasks' own failing. */
const open = () => openCompatService({ script: () => ({ do: 'fail', code: 'UNREADABLE_IMAGE' }) });

async function statusOf(
  service: CompatService,
  route: string,
  body: FormData | string,
  type?: string,
): Promise<number> {
  const response = await fetch(service.compatUrl + route, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.programKey}`,
      ...(type !== undefined && { 'content-type': type }),
    },
    body,
  });
  await response.arrayBuffer();
  // No network is installed here: what would be worked on is told so.
  return response.status === 503 ? 400 : response.status;
}

const settings = { numRuns: 150, endOnFailure: true };

it('takes any JSON without a fault', async () => {
  const service = await open();
  const json = fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.oneof(value, fc.jsonValue())));
  const body = fc.oneof(
    json.map((one) => JSON.stringify(one)),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), body, async (route, text) => {
      expect(await statusOf(service, route, text, 'application/json')).toBeLessThan(500);
    }),
    settings,
  );
  await expect.poll(() => leftOver(service)).toEqual([]);
});

it('takes any form without a fault, whole and broken', async () => {
  const service = await open();
  const fields = fc.array(fc.tuple(field, value), { maxLength: 6 });
  const files = fc.array(fc.tuple(field, fc.uint8Array({ maxLength: 2000 }), fc.string()), {
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), fields, files, async (route, texts, blobs) => {
      const form = new FormData();
      for (const [name, text] of texts) form.append(name, text);
      for (const [name, bytes, file] of blobs)
        form.append(name, new Blob([new Uint8Array(bytes)]), file);
      expect(await statusOf(service, route, form)).toBeLessThan(500);
    }),
    settings,
  );
  const broken = fc
    .tuple(fc.string(), fc.string())
    .map(
      ([head, tail]) =>
        `--b\r\nContent-Disposition: form-data; name="${head}"; filename="a"\r\n\r\n${tail}`,
    );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), broken, async (route, text) => {
      expect(await statusOf(service, route, text, 'multipart/form-data; boundary=b')).toBeLessThan(
        500,
      );
    }),
    { ...settings, numRuns: 60 },
  );
  await expect.poll(() => leftOver(service)).toEqual([]);
});

/** A task that failed keeps its source, so that it may be retried; those are deleted first. */
async function leftOver(service: CompatService): Promise<string[]> {
  const { tasks } = (await service.call('GET', '/api/tasks?limit=500')).body as {
    tasks: { taskId: string }[];
  };
  for (const { taskId } of tasks) await service.call('DELETE', `/api/task/${taskId}?now=true`);
  return leftFiles(service);
}
