/**
 * What the clients of four families send, as they send it, and what they read of the answers: status, headers, the
 * shape of JSON, a picture of the right size. What their servers answer was read in recordings and sources.
 *
 * Not again here: remove.bg's ZIP, crop, colours, pictures behind and shadows (removebg.test.ts); what rembg refuses
 * (rembg.test.ts); OpenAI's own package with its errors, Lemonade's and LocalAI's enlarging (openai.test.ts); sizes,
 * batches, interrupting and what is refused of AUTOMATIC1111 (a1111.test.ts); forms of keys (listener.test.ts); curl
 * and Python (clients.test.ts); MCP (test/mcp); edit-in (test/packages/command-line/photos/edit-in.test.ts).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import {
  containing,
  startPictureService,
  subjectJpeg,
  type CompatService,
} from '../../support/compat-service.ts';

let jpeg: Buffer;
let service: CompatService;
beforeAll(async () => {
  service = await startPictureService({ allowLocalSources: true });
  jpeg = await subjectJpeg();
});
afterAll(() => service.close());

/** Changes settings for one test. */
async function change(settings: Partial<Settings>, back: Partial<Settings>): Promise<void> {
  await service.call('PATCH', '/api/settings', settings);
  onTestFinished(async () => {
    await service.call('PATCH', '/api/settings', back);
  });
}

const own = { width: 320, height: 240 };
const doubled = { width: 640, height: 480 };
const anyNumber = expect.any(Number) as number;
const anyText = expect.any(String) as string;

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: FormData | URLSearchParams | object;
}

async function send({ compatUrl }: CompatService, route: string, sent: Sent = {}) {
  const { headers = {}, body, method = body === undefined ? 'GET' : 'POST' } = sent;
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const answer = await fetch(compatUrl + route, {
    method,
    headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

type Answer = Awaited<ReturnType<typeof send>>;

const jsonOf = ({ bytes }: Pick<Answer, 'bytes'>): unknown => JSON.parse(bytes.toString('utf8'));

async function pictureOf(bytes: Buffer) {
  const { width, height, format, hasAlpha } = await sharp(bytes).metadata();
  return { width, height, format, hasAlpha };
}

function formOf(fileField: string, fields: Record<string, string> = {}, picture = jpeg): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append(fileField, new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'photo.jpg');
  return form;
}

/** A web server with the photo at /photo.jpg and nothing else. */
async function webWithPhoto(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/photo.jpg') response.end(jpeg);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("has remove.bg's conversations: a file, addresses in a form without files, accounts, wrong keys", async () => {
  const web = await webWithPhoto();
  const headers = { 'x-api-key': service.programKey };
  const remove = (body: Sent['body'], more = {}) =>
    send(service, '/v1.0/removebg', { headers: { ...headers, ...more }, body: body ?? {} });

  const file = await remove(formOf('image_file', { size: 'auto', type: 'person' }));
  expect([file.status, file.headers]).toEqual([
    200,
    expect.objectContaining({
      'content-type': 'image/png',
      'x-type': 'person',
      'x-width': '320',
      'x-height': '240',
      'x-max-width': '320',
      'x-max-height': '240',
      'x-credits-charged': '0',
      'x-ratelimit-limit': '500',
      'x-ratelimit-remaining': '500',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/) as string,
    }),
  ]);
  expect(await pictureOf(file.bytes)).toEqual({ ...own, format: 'png', hasAlpha: true });

  const ofUrl = { image_url: `${web}/photo.jpg`, size: 'auto', bg_color: 'ffffff', format: 'jpg' };
  for (const body of [new URLSearchParams(ofUrl), ofUrl]) {
    const fetched = await remove(body);
    expect([fetched.status, fetched.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect(await pictureOf(fetched.bytes)).toMatchObject({ ...own, format: 'jpeg' });
  }
  const asJson = await remove(formOf('image_file', { size: 'full' }), {
    accept: 'application/json',
  });
  const { data } = jsonOf(asJson) as { data: { result_b64: string } };
  expect(await pictureOf(Buffer.from(data.result_b64, 'base64'))).toMatchObject(own);

  const absent = await remove(new URLSearchParams({ image_url: `${web}/404.png`, size: 'auto' }));
  expect([absent.status, jsonOf(absent)]).toEqual([
    400,
    { errors: [{ title: containing('404'), code: 'source_unreachable' }] },
  ]);
  const none = await remove(new URLSearchParams({ size: 'auto' }));
  expect([none.status, jsonOf(none)]).toEqual([
    400,
    { errors: [{ title: containing('No image given'), code: 'missing_source' }] },
  ]);
  const noPicture = await remove(formOf('image_file', {}, Buffer.from('text')));
  expect([noPicture.status, jsonOf(noPicture)]).toMatchObject([
    400,
    { errors: [{ title: anyText, code: 'invalid_file_type' }] },
  ]);

  const account = await send(service, '/v1.0/account', { headers });
  const credits = { total: anyNumber, subscription: anyNumber };
  expect([account.status, jsonOf(account)]).toEqual([
    200,
    {
      data: {
        attributes: {
          credits: { ...credits, payg: anyNumber, enterprise: anyNumber },
          api: { free_calls: anyNumber, sizes: 'all' },
        },
      },
    },
  ]);
  for (const answer of [
    await send(service, '/v1.0/account', { headers: { 'x-api-key': 'wrong' } }),
    await remove(formOf('image_file'), { 'x-api-key': 'wrong' }),
  ])
    expect([answer.status, jsonOf(answer)]).toMatchObject([
      403,
      { errors: [{ title: 'API Key invalid', code: 'auth_failed' }] },
    ]);
});

it('changes nothing of a remove.bg picture without a word', async () => {
  const headers = { 'x-api-key': service.programKey };
  const remove = (fields: Record<string, string>) =>
    send(service, '/v1.0/removebg', { headers, body: formOf('image_file', fields) });
  const hard = await remove({ semitransparency: 'false' });
  expect(hard.headers['x-enlarger-notes']).toContain('semitransparency');
  for (const [format, type] of [
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['zip', 'image/png'],
  ] as const) {
    const mask = await remove({ channels: 'alpha', format, size: 'full' });
    expect([mask.status, mask.headers['content-type']]).toEqual([200, type]);
    expect(await pictureOf(mask.bytes)).toMatchObject({ ...own, hasAlpha: false });
  }
  const shaded = await remove({ channels: 'alpha', add_shadow: 'true' });
  expect([shaded.status, jsonOf(shaded)]).toMatchObject([
    400,
    { errors: [{ title: containing('shadow'), code: 'invalid_parameter' }] },
  ]);
});

it("has rembg's two calls with every field that they know, and FastAPI's refusals", async () => {
  await change({ compatKeyless: true }, { compatKeyless: false });
  const web = await webWithPhoto();
  const defaults = { model: 'u2net', a: 'false', af: '240', ab: '10', ae: '10', ppm: 'false' };
  const inQuery = 'bgc=0,0,0,0&extras=%7B%7D';

  const query = new URLSearchParams({ url: `${web}/photo.jpg`, ...defaults, om: 'false' });
  const got = await send(service, `/api/remove?${query.toString()}&${inQuery}`);
  const posted = await send(service, `/api/remove?${inQuery}`, {
    body: formOf('file', { ...defaults, a: 'true', om: 'false' }),
  });
  for (const { status, headers, bytes } of [got, posted]) {
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(headers['x-enlarger-model']).toBeTruthy();
    expect(await pictureOf(bytes)).toEqual({ ...own, format: 'png', hasAlpha: true });
  }
  const mask = await send(service, '/api/remove', { body: formOf('file', { om: 'true' }) });
  expect([mask.headers['content-type'], await pictureOf(mask.bytes)]).toMatchObject([
    'image/png',
    own,
  ]);

  const refused = async (route: string, body?: FormData) => {
    const answer = await send(service, route, body && { body });
    return [answer.status, jsonOf(answer)];
  };
  const missing = (...loc: string[]) => ({
    detail: [{ type: 'missing', loc, msg: 'Field required' }],
  });
  expect(await refused('/api/remove')).toEqual([422, missing('query', 'url')]);
  const noFile = new FormData();
  noFile.set('model', 'u2net');
  expect(await refused('/api/remove', noFile)).toEqual([422, missing('body', 'file')]);
  const wrong = (...loc: string[]) => ({ detail: [{ type: 'value_error', loc, msg: anyText }] });
  const places = [
    ['/api/remove?url=x&model=none', undefined, ['query', 'model']],
    ['/api/remove', formOf('file', { af: '900' }), ['body', 'af']],
    ['/api/remove?bgc=1,2', formOf('file'), ['query', 'bgc']],
  ] as const;
  for (const [route, body, loc] of places)
    expect(await refused(route, body)).toEqual([422, wrong(...loc)]);
  expect(await refused(`/api/remove?url=${encodeURIComponent(`${web}/404.png`)}`)).toEqual([
    400,
    { detail: containing('404') },
  ]);
  const documentation = await send(service, '/api');
  expect([documentation.status, documentation.headers['content-type']]).toEqual([
    200,
    containing('text/html'),
  ]);
});

it('has what Open WebUI and others send to the images of OpenAI, and models', async () => {
  const headers = { authorization: `Bearer ${service.programKey}` };
  const post = (route: string, body: FormData) =>
    send(service, `/v1/images/${route}`, { headers, body });

  const openWebUi = {
    ...{ model: 'enlarger-2x', prompt: 'Enlarge it', n: '1', size: '640x640' },
    ...{ background: 'auto', response_format: 'b64_json' },
  };
  for (const field of ['image', 'image[]']) {
    const answer = await post('edits', formOf(field, openWebUi));
    const body = jsonOf(answer) as { data: { b64_json: string }[] };
    expect([answer.status, body]).toEqual([
      200,
      {
        created: anyNumber,
        data: [{ b64_json: anyText }],
        ...{ background: 'opaque', output_format: 'png', size: '640x480', quality: anyText },
        usage: expect.objectContaining({ total_tokens: 0 }) as object,
      },
    ]);
    expect(await pictureOf(Buffer.from(body.data[0]?.b64_json ?? '', 'base64'))).toMatchObject(
      doubled,
    );
  }
  const everyField = {
    ...{ prompt: 'Cut it out', model: 'gpt-image-1', background: 'transparent', user: 'someone' },
    ...{ output_format: 'webp', output_compression: '90', input_fidelity: 'high', stream: 'false' },
    ...{ partial_images: '0', quality: 'high', n: '1', size: 'auto' },
  };
  const cut = jsonOf(await post('edits', formOf('image', everyField))) as {
    data: { b64_json: string }[];
  };
  expect(await pictureOf(Buffer.from(cut.data[0]?.b64_json ?? '', 'base64'))).toEqual({
    ...own,
    format: 'webp',
    hasAlpha: true,
  });
  const varied = await post(
    'variations',
    formOf('image', { model: 'enlarger-2x', n: '1', size: '640x480', user: 'someone' }),
  );
  const [{ url = '' } = {}] = (jsonOf(varied) as { data: { url?: string }[] }).data;
  const linked = await fetch(url);
  expect(await pictureOf(Buffer.from(await linked.arrayBuffer()))).toMatchObject(doubled);

  const models = await send(service, '/v1/models', { headers });
  expect(jsonOf(models)).toEqual({
    object: 'list',
    data: expect.arrayContaining([
      { id: 'enlarger-cutout', object: 'model', created: anyNumber, owned_by: 'enlarger' },
    ]) as object,
  });
  const error = { message: anyText, type: 'invalid_request_error' };
  const keyless = await send(service, '/v1/models');
  expect([keyless.status, jsonOf(keyless)]).toEqual([
    401,
    { error: { ...error, param: null, code: 'invalid_api_key' } },
  ]);
  const unprompted = await post('edits', formOf('image'));
  expect([unprompted.status, jsonOf(unprompted)]).toEqual([
    400,
    { error: { ...error, param: 'prompt', code: 'invalid_value' } },
  ]);
});

it('refuses to call a picture opaque whose transparent parts it keeps', async () => {
  const clear = await sharp({
    create: { width: 40, height: 30, channels: 4, background: '#ff000080' },
  })
    .png()
    .toBuffer();
  const edit = async (outputFormat: string) => {
    const fields = { prompt: 'x', background: 'opaque', output_format: outputFormat };
    const { status, bytes } = await send(service, '/v1/images/edits', {
      headers: { authorization: `Bearer ${service.programKey}` },
      body: formOf('image', fields, clear),
    });
    return [status, jsonOf({ bytes })];
  };
  expect(await edit('png')).toMatchObject([400, { error: { param: 'background' } }]);
  expect(await edit('jpeg')).toMatchObject([200, { background: 'opaque' }]);
});

it("has AUTOMATIC1111's extras with every field that they know, and what is asked around them", async () => {
  const basic = Buffer.from(`me:${service.programKey}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const call = (route: string, body?: object) =>
    send(service, `/sdapi/v1/${route}`, { headers, ...(body && { body }) });
  const fields = {
    ...{ resize_mode: 0, upscaling_resize: 2, upscaling_resize_w: 512, upscaling_resize_h: 512 },
    ...{ upscaling_crop: true, upscaler_1: 'R-ESRGAN 4x+', upscaler_2: 'None' },
    ...{ extras_upscaler_2_visibility: 0, gfpgan_visibility: 0, codeformer_visibility: 0 },
    ...{ codeformer_weight: 0, upscale_first: false, show_extras_results: true },
  };
  const base64 = jpeg.toString('base64');
  for (const image of [base64, `data:image/jpeg;base64,${base64}`]) {
    const single = await call('extra-single-image', { ...fields, image });
    expect([single.status, jsonOf(single)]).toEqual([200, { html_info: anyText, image: anyText }]);
    const made = jsonOf(single) as { image: string };
    expect(await pictureOf(Buffer.from(made.image, 'base64'))).toMatchObject(doubled);
  }
  const imageList = [{ data: base64, name: 'a.jpg' }];
  const batch = await call('extra-batch-images', { ...fields, imageList });
  expect(jsonOf(batch)).toEqual({ html_info: anyText, images: [anyText] });

  const ofUpscaler = { name: anyText, scale: anyNumber, model_path: null, model_url: null };
  const upscalers = jsonOf(await call('upscalers')) as unknown[];
  for (const one of upscalers)
    expect(one).toEqual({ ...ofUpscaler, model_name: expect.toBeOneOf([null, anyText]) as null });
  expect(upscalers[0]).toMatchObject({ name: 'None' });
  expect(jsonOf(await call('progress?skip_current_image=true'))).toEqual({
    ...{ progress: 0, eta_relative: 0, current_image: null, textinfo: null },
    state: expect.objectContaining({ job: '', job_count: 0, sampling_steps: 0 }) as object,
  });
  expect(jsonOf(await call('options'))).toMatchObject({ samples_format: 'png' });
  expect(jsonOf(await call('sd-models'))).toEqual([]);
  expect(jsonOf(await call('face-restorers'))).toEqual([]);
  expect(jsonOf(await call('interrupt', {}))).toEqual({});
});

it('takes no form whose fields cost more to read than they weigh', async () => {
  const headers = { 'x-api-key': service.programKey };
  const before = process.cpuUsage();
  const many = await fetch(`${service.compatUrl}/v1.0/removebg`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=1&'.repeat(10_000_000),
  });
  expect([many.status, await many.json()]).toMatchObject([
    413,
    { errors: [{ code: 'file_size_too_large' }] },
  ]);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(3000);
  const { maxBodyBytes } = (await service.call('GET', '/api/settings')).body as Settings;
  await change({ maxBodyBytes: 1 << 20 }, { maxBodyBytes });
  const text = 'x'.repeat(400_000);
  const large = formOf('image_file', { position: text, scale: text, roi: text });
  const refused = await send(service, '/v1.0/removebg', { headers, body: large });
  expect([refused.status, jsonOf(refused)]).toMatchObject([
    413,
    { errors: [{ title: containing('maxBodyBytes') }] },
  ]);
});
