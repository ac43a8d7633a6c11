import { expect, test } from 'vitest';
import { buildProgram } from '../../../packages/command-line/src/program.ts';

const unexpected = () => Promise.reject(new Error('Another command ran.'));

async function optionsOf(line: string): Promise<object> {
  let found: object = {};
  const take = (options: object) => {
    found = options;
    return Promise.resolve();
  };
  const program = buildProgram('1.0.0', {
    programUrl: import.meta.url,
    serve: () => Promise.reject(new Error('No service was named.')),
    photos: unexpected,
    editIn: unexpected,
    ask: take,
  });
  await program.parseAsync(line.split(' '), { from: 'user' });
  return found;
}

test.each([
  'join redis://nas --storage /nas',
  'pool',
  'pool use redis://nas --storage /nas',
  'pool leave',
  'presets',
  'presets list',
  'presets export all.json Name',
  'presets import all.json',
  'presets remove Name',
  'presets add-upscale Name',
  'presets add-cutout Name',
])('%s speaks to the service of the data folder that is named', async (line) => {
  expect(await optionsOf(`${line} --data-dir /data`)).toMatchObject({ dataDir: '/data' });
});
