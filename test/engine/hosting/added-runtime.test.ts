/** Libraries of a device in a folder of their own: the engine looks for them there, and says what is wrong with them. */
import { readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  runtimeEnvironment,
  runtimeVariable,
} from '../../../electron/engine/hosting/added-runtime.ts';
import { createTestEngine } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const isLinux = process.platform === 'linux' && process.arch === 'x64';

it('nothing is said of a folder where none was added', () => {
  expect(runtimeEnvironment(undefined, import.meta.filename)).toEqual({});
});

it('a folder gets a link to onnxruntime and comes before what the system was told', () => {
  const folder = temporaryFolder();
  const first = runtimeEnvironment(folder, import.meta.filename, {});
  expect(first).toEqual({ [runtimeVariable]: folder, LD_LIBRARY_PATH: folder });
  const again = runtimeEnvironment(folder, import.meta.filename, { LD_LIBRARY_PATH: '/opt/lib' });
  expect(again).toMatchObject({ LD_LIBRARY_PATH: `${folder}:/opt/lib` });
  expect(readlinkSync(join(folder, 'libonnxruntime.so.1'))).toContain('onnxruntime-node');
});

it.skipIf(!isLinux)(
  'the engine starts anew with it, and knows the device then (Linux)',
  async () => {
    const folder = temporaryFolder();
    for (const name of ['cuda', 'shared'])
      writeFileSync(join(folder, `libonnxruntime_providers_${name}.so`), 'no library');
    let runtime: string | undefined;
    const engine = createTestEngine({ runtime: () => runtime });
    onTestFinished(() => engine.close());
    const devices = async () =>
      (await engine.host.devices()).devices.map(({ provider }) => provider);
    expect(await devices()).not.toContain('cuda');
    runtime = folder;
    await expect.poll(devices).toContain('cuda');
  },
);
