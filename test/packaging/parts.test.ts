import { describe, expect, it } from 'vitest';
import { ownParts, shippedParts } from '../../packaging/parts.ts';
import { root } from '../support/program.ts';

const part = (name: string) => ({ 'bom-ref': `${name}@1`, type: 'library', name, version: '1' });

describe('the list of parts', () => {
  it('holds what ships, without the tools that made it, and who needs whom among it', () => {
    const bom = {
      specVersion: '1.5',
      metadata: { component: part('checkout') },
      components: [part('sharp'), part('eslint'), part('electron')],
      dependencies: [
        { ref: 'checkout@1', dependsOn: ['sharp@1', 'eslint@1', 'electron@1'] },
        { ref: 'sharp@1', dependsOn: ['eslint@1'] },
        { ref: 'eslint@1' },
      ],
    };
    const own = { ...part('node'), type: 'application' };
    expect(shippedParts(bom, new Set(['sharp', 'electron']), [own])).toEqual({
      specVersion: '1.5',
      metadata: { component: { ...part('checkout'), name: 'enlarger' } },
      components: [part('sharp'), part('electron'), own],
      dependencies: [
        { ref: 'checkout@1', dependsOn: ['sharp@1', 'electron@1', 'node@1'] },
        { ref: 'sharp@1', dependsOn: [] },
      ],
    });
  });

  it('names Node and each network with its hash', async () => {
    const own = await ownParts(root);
    expect(own[0]).toMatchObject({ name: 'node', type: 'application' });
    expect(own.filter(({ type }) => type === 'machine-learning-model').length).toBeGreaterThan(5);
    expect(own).toContainEqual(
      expect.objectContaining({
        name: 'cutout.onnx',
        hashes: [{ alg: 'SHA-256', content: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
      }),
    );
  });
});
