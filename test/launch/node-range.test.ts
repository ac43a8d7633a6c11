import { describe, expect, it } from 'vitest';
import { isInRange } from '../../electron/launch/node-range.mjs';
import description from '../../package.json' with { type: 'json' };

const range = description.engines.node;

describe('the Node of engines', () => {
  it.each(['v22.22.0', 'v22.23.1', 'v24.0.0', 'v24.21.0', 'v26.0.0', 'v27.1.0', 'v30.0.0'])(
    'is %s',
    (version) => {
      expect(isInRange(version, range)).toBe(true);
    },
  );

  it.each(['v18.20.0', 'v20.20.2', 'v22.0.0', 'v22.21.9', 'v23.11.0', 'v25.2.1'])(
    'is not %s, on which the shipped Node runs Enlarger',
    (version) => {
      expect(isInRange(version, range)).toBe(false);
    },
  );

  it('is not guessed from a form that is not known', () => {
    expect(() => isInRange('v24.0.0', '24.x')).toThrow('engines');
  });
});
