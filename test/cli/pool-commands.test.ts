import { expect, test } from 'vitest';
import { buildProgram } from '../../electron/cli/program.ts';

const unexpected = () => Promise.reject(new Error('Another command ran.'));

async function optionsOf(line: string): Promise<object> {
  let found: object = {};
  const program = buildProgram('1.0.0', {
    photos: unexpected,
    tasks: unexpected,
    cancel: unexpected,
    models: unexpected,
    watch: unexpected,
    watches: unexpected,
    presets: unexpected,
    switchQueue: unexpected,
    mcp: unexpected,
    page: unexpected,
    editIn: unexpected,
    pool(options) {
      found = options;
      return Promise.resolve();
    },
  });
  await program.parseAsync(line.split(' '), { from: 'user' });
  return found;
}

test.each([
  'join redis://nas --storage /nas',
  'pool',
  'pool use redis://nas --storage /nas',
  'pool leave',
])('%s speaks to the service of the data folder that is named', async (line) => {
  expect(await optionsOf(`${line} --data-dir /data`)).toMatchObject({ dataDir: '/data' });
});
