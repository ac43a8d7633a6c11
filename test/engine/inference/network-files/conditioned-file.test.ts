import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  roundedCondition,
  conditionedFile,
} from '../../../../electron/engine/inference/network-files/conditioned-file.ts';
import { embeddedNetworks } from '../../../support/networks.ts';

describe('a network file that is told of a photo', () => {
  const made = (...values: number[]) =>
    Buffer.concat([
      Buffer.from([0x42, 4]),
      Buffer.from('told'),
      Buffer.from([0x4a, 4 * values.length]),
      Buffer.from(Float32Array.from(values).buffer),
    ]);

  it('has the values in the place of its zeros and nothing else changed', () => {
    const file = Buffer.concat([Buffer.from('before'), made(0, 0), Buffer.from('after')]);
    const told = conditionedFile(Buffer.from(file), 'told', [0.25, 0.5]);
    expect(told).toEqual(
      Buffer.concat([Buffer.from('before'), made(0.25, 0.5), Buffer.from('after')]),
    );
  });

  it('refuses a file without the constant, with two, or with another count of values', () => {
    expect(() => conditionedFile(Buffer.from('nothing'), 'told', [1])).toThrow('has none');
    expect(() => conditionedFile(Buffer.concat([made(0), made(0)]), 'told', [1])).toThrow(
      'has several',
    );
    expect(() => conditionedFile(made(0, 0), 'told', [1])).toThrow('has none');
  });

  it('tells photos alike that hardly differ', () => {
    expect(roundedCondition([0.3341, 0])).toEqual(roundedCondition([0.333, 0.001]));
    expect(roundedCondition([0.35])).not.toEqual(roundedCondition([0.333]));
  });

  it.each(embeddedNetworks().filter(({ condition }) => condition))(
    'finds the constant of $modelId at ${scale}x in every variant',
    async ({ condition, variants }) => {
      for (const { path } of variants) {
        const file = await readFile(path);
        const values = (condition?.values ?? []).map(() => 0);
        expect(conditionedFile(Buffer.from(file), condition?.constant ?? '', values)).toEqual(file);
      }
    },
  );
});
