import { describe, expect, it } from 'vitest';
import {
  freePresetName,
  readPresets,
  writePresets,
} from '../../../../packages/contract/src/settings/preset.ts';

describe('presets as a file', () => {
  const preset = {
    id: '1',
    name: 'Web',
    operation: 'upscale' as const,
    options: { scale: 2 as const, format: 'webp' as const },
    createdAt: '2026-01-01T00:00:00.000Z',
  };

  it('come back as they were written, without what only this machine knows', () => {
    const { name, operation, options } = preset;
    expect(readPresets(writePresets([preset]))).toEqual([{ name, operation, options }]);
  });

  it('are not read from other files', () => {
    const broken = JSON.stringify({ kind: 'enlarger-presets', presets: [{ name: 'x' }] });
    for (const json of ['', '[]', '{"kind":"other","presets":[]}', broken])
      expect(readPresets(json), json).toBeUndefined();
  });

  it('get a number where the name is taken', () => {
    expect(freePresetName('Web', ['web', 'Web 2'])).toBe('Web 3');
    expect(freePresetName('Web', [])).toBe('Web');
  });
});
