/** Libraries of a device in a folder of their own: the engine looks for them there, and says what is wrong with them. */
import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  runtimeEnvironment,
  runtimeVariable,
  engineEnvironment,
} from '../../../electron/engine/host/engine-environment.ts';
import { createTestEngine } from '../../support/engine.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { engineProgram } from '../../support/programs.ts';

const compiler = spawnSync('cc', ['--version']).error === undefined ? 'cc' : undefined;
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

it.skipIf(!isLinux || compiler === undefined)(
  'a library that asks for one that is not there is left with its name (Linux, needs cc)',
  async () => {
    const folder = temporaryFolder();
    const made = (name: string, ...more: string[]) => {
      const library = join(folder, name);
      execFileSync('cc', ['-shared', '-x', 'c', '/dev/null', '-o', library, ...more]);
    };
    made('libwanted.so.12', '-Wl,-soname,libwanted.so.12');
    made('libonnxruntime_providers_shared.so');
    made(
      'libonnxruntime_providers_cuda.so',
      ...['-x', 'none', '-Wl,--no-as-needed', join(folder, 'libwanted.so.12')],
    );
    rmSync(join(folder, 'libwanted.so.12'));
    const child = fork(engineProgram, ['probe'], {
      env: { ...engineEnvironment(), ...runtimeEnvironment(folder, engineProgram) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    onTestFinished(() => void child.kill());
    const answered = once(child, 'message');
    child.send({ network: nearestNetwork(folder), precision: 'fp32', provider: 'cuda' });
    const [outcome] = (await answered) as unknown[];
    expect(outcome).toEqual({
      ok: false,
      reason: 'It needs the library libwanted.so.12, which is not installed.',
    });
  },
  120_000,
);

it.skipIf(!isLinux)(
  'the engine starts anew with it, and knows the device then (Linux)',
  async () => {
    const folder = temporaryFolder();
    for (const name of ['cuda', 'shared'])
      writeFileSync(join(folder, `libonnxruntime_providers_${name}.so`), 'no library');
    let runtime: string | undefined = undefined;
    const engine = createTestEngine({ runtime: () => runtime });
    onTestFinished(() => engine.close());
    const devices = async () =>
      (await engine.host.devices()).devices.map(({ provider }) => provider);
    expect(await devices()).not.toContain('cuda');
    runtime = folder;
    await expect.poll(devices, { timeout: 60_000 }).toContain('cuda');
  },
  120_000,
);
