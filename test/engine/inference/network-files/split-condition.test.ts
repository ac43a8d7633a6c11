/** A network that is split at its condition gives what the whole file gives. */
import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { sampleTensor } from '../../../../electron/engine/inference/checks/check.ts';
import { conditionedFile } from '../../../../electron/engine/inference/network-files/conditioned-file.ts';
import { splitCondition } from '../../../../electron/engine/inference/network-files/split-condition.ts';
import { openSession } from '../../../../electron/engine/inference/sessions/session.ts';
import { embeddedNetworks } from '../../../support/networks.ts';

const conditioned = embeddedNetworks().flatMap((network) =>
  network.variants
    .filter(({ precision }) => precision === 'int8' && network.condition)
    .map(({ path, file }) => ({ network, path, file })),
);
const side = 40;

describe.each(conditioned)('$file', ({ network, path }) => {
  const { constant = '', values = [] } = network.condition ?? {};

  it.each([
    ['nothing', [0, 0, 0, 0]],
    ['compression, noise and blur', [0.4, 0.7, 0.5, 0.25]],
  ])('is told of %s', async (_told, all) => {
    const condition = all.slice(0, values.length);
    const picture = sampleTensor(network, side);
    const file = conditionedFile(await readFile(path), constant, condition);
    const whole = await InferenceSession.create(file);
    const input = new Tensor('float32', picture, [1, 3, side, side]);
    const expected = (await whole.run({ [network.input]: input }))[network.output];
    await whole.release();
    const session = await openSession(network, 'int8', 'cpu', 1);
    const made = await session.run(picture, side, side, condition);
    const differences = Array.from(made, (value, i) => Math.abs(value - Number(expected?.data[i])));
    await session.close();
    expect(made.length).toBe(expected?.data.length);
    // Of a number of 0..1; sums of the condition's terms are rounded in another order.
    expect(Math.max(0, ...differences.slice(0, 20_000))).toBeLessThan(1e-6);
    expect(Math.max(0, ...differences.slice(-20_000))).toBeLessThan(1e-6);
  });

  it('has far fewer nodes than its file', async () => {
    const file = await readFile(path);
    const split = splitCondition(file, constant);
    if (!split) throw new Error('Not split');
    const count = (bytes: Buffer) => bytes.toString('latin1').split('Round').length - 1;
    expect(count(file)).toBeGreaterThan(50);
    expect(count(split.network)).toBe(0);
    expect(count(split.condition)).toBe(count(file));
  });
});

it('leaves a file alone in which nothing follows from the condition', async () => {
  const plain = embeddedNetworks().find(({ condition }) => !condition)?.variants[0];
  expect(splitCondition(await readFile(plain?.path ?? ''), 'condition')).toBeUndefined();
});
