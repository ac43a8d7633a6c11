/**
 * What the adapters for programs of other services cost over the native route: `npm run bench:compat`. The engine ends
 * each task at once, so that nothing but the service is measured. Times are a client's, from sending the photo to having
 * the result's bytes; milliseconds. The native way is the published client's: upload, submit, events, result.
 */
import { createClient } from '../../packages/client/src/index.ts';
import type { CompatState } from '../../packages/contract/src/settings/settings.ts';
import { asSharp, photo } from '../support/images.ts';
import { startTestService, testModel, testRemover } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const warmUps = 20;
const rounds = 200;

type Way = () => Promise<unknown>;

/** All of them in each round, so that a busy moment of the machine meets each alike. */
async function measure(ways: Record<string, Way>): Promise<Record<string, number[]>> {
  const taken: Record<string, number[]> = {};
  for (let round = 0; round < warmUps + rounds; round += 1)
    for (const [name, way] of Object.entries(ways)) {
      const begun = performance.now();
      await way();
      const ms = performance.now() - begun;
      if (round >= warmUps) (taken[name] ??= []).push(ms);
    }
  return taken;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}

const dataDir = temporaryFolder();
const service = await startTestService(dataDir, {
  compatPort: 0,
  models: [testModel, testRemover],
});
try {
  const { url: compatUrl = '' } = (await service.call('GET', '/api/compat')).body as CompatState;
  const bytes = new Uint8Array(await asSharp(photo(1200, 800)).jpeg({ quality: 92 }).toBuffer());
  const base64 = Buffer.from(bytes).toString('base64');
  const native = createClient({ url: service.url, key: service.key });
  const send = async (route: string, body: FormData | object) => {
    const isForm = body instanceof FormData;
    const response = await fetch(compatUrl + route, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.key}`,
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    const got = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${route}: ${Buffer.from(got).toString()}`);
  };
  const formOf = (field: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    form.set(field, new Blob([bytes]), 'photo.jpg');
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  const taken = await measure({
    native: async () => (await native.removeBackground(bytes)).blob(),
    'remove.bg': () => send('/v1.0/removebg', formOf('image_file', { size: 'full' })),
    rembg: () => send('/api/remove', formOf('file')),
    'OpenAI edits': () => send('/v1/images/edits', formOf('image', { prompt: 'x' })),
    'Lemonade upscale': () =>
      send('/v1/images/upscale', { image: base64, model: 'RealESRGAN-x2plus' }),
    AUTOMATIC1111: () =>
      send('/sdapi/v1/extra-single-image', { image: base64, upscaler_1: 'R-ESRGAN 4x+' }),
  });
  const { native: usual = [] } = taken;
  const shown = (ms: number) => Number(ms.toFixed(1));
  console.log(`${rounds} rounds of a photo of ${Math.round(bytes.length / 1024)} KB`);
  console.table(
    Object.fromEntries(
      Object.entries(taken).map(([name, times]) => [
        name,
        {
          p50: shown(at(times, 0.5)),
          p95: shown(at(times, 0.95)),
          'p95 over native': shown(at(times, 0.95) - at(usual, 0.95)),
          target: name === 'native' ? '' : '< 20',
        },
      ]),
    ),
  );
} finally {
  await service.close();
}
