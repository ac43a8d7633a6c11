/** Where the password of a pool's queue is taken from, and what is said of one that others see. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { warnOfSecret, withPassword } from '../../../packages/command-line/src/pool-password.ts';
import { engineEnvironment } from '../../../electron/engine/host/engine-environment.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function taken(address: string, env: NodeJS.ProcessEnv = {}, passwordFile?: string) {
  const said: string[] = [];
  const warn = (line: string) => void said.push(line);
  return { address: await withPassword(address, { passwordFile, env, warn }), said };
}
const variable = { ENLARGER_POOL_PASSWORD: 'p@ss/w%rd' };

it('takes the password from the environment, whatever stands in it', async () => {
  const { address, said } = await taken('redis://nas:6379', variable);
  expect([address, said]).toEqual(['redis://:p%40ss%2Fw%25rd@nas:6379', []]);
  expect(decodeURIComponent(new URL(address).password)).toBe('p@ss/w%rd');
  expect((await taken('rediss://studio@nas:6380?ca=/a/ca.pem', variable)).address).toBe(
    'rediss://studio:p%40ss%2Fw%25rd@nas:6380?ca=/a/ca.pem',
  );
  expect((await taken('redis://nas:6379')).address).toBe('redis://nas:6379');
  expect((await taken('nas', variable)).address).toBe('nas');
});

it('takes it from a file before that, without the end of its line', async () => {
  const file = path.join(temporaryFolder(), 'password');
  await writeFile(file, 'from a file\n');
  const { address } = await taken('redis://nas', variable, file);
  expect(decodeURIComponent(new URL(address).password)).toBe('from a file');
  await expect(taken('redis://:one@nas', {}, file)).rejects.toThrow('not in both');
  await expect(taken('redis://nas', {}, `${file}-absent`)).rejects.toThrow('cannot be read');
  await writeFile(file, '\n');
  await expect(taken('redis://nas', {}, file)).rejects.toThrow('is empty');
});

it('warns of what other users of the machine see', async () => {
  const { address, said } = await taken('redis://:one@nas', variable);
  expect([address, said]).toEqual([
    'redis://:one@nas',
    [expect.stringContaining('--password-file') as string],
  ]);
  const secrets: string[] = [];
  const warn = (line: string) => void secrets.push(line);
  warnOfSecret('s3://bucket/enlarger', warn);
  warnOfSecret('/mnt/nas', warn);
  expect(secrets).toEqual([]);
  warnOfSecret('s3://KEY:SECRET@bucket/enlarger', warn);
  expect(secrets).toEqual([expect.stringContaining('AWS_SECRET_ACCESS_KEY') as string]);
});

it('does not hand it on to the engine', () => {
  expect(engineEnvironment(variable)).not.toHaveProperty('ENLARGER_POOL_PASSWORD');
});
