import { expect, it } from 'vitest';
import { asOpenApi } from '../../../packages/http/src/openapi-schemas.ts';

it('tuples and lists of numbers and texts take the form that generators read', () => {
  const pair = { type: 'array', items: [{ type: 'number' }, { type: 'string' }], minItems: 2 };
  const bits = { enum: [8, 16, 'same'], default: 'same' };
  const list = { type: 'array', items: { enum: ['a', 'b'], type: 'string' } };
  expect(asOpenApi({ pair: { ...pair, additionalItems: false, maxItems: 2 }, bits, list })).toEqual(
    {
      pair: {
        type: 'array',
        prefixItems: [{ type: 'number' }, { type: 'string' }],
        minItems: 2,
        maxItems: 2,
      },
      bits: {
        default: 'same',
        anyOf: [
          { type: 'number', enum: [8, 16] },
          { type: 'string', enum: ['same'] },
        ],
      },
      list,
    },
  );
});
