import { describe, expect, it } from 'vitest';
import { fieldOf } from '../../renderer/state/field-problem.ts';

describe('a refusal of the service', () => {
  it('belongs to the field that its sentence begins with', () => {
    const refused = (message: string, code = 'INVALID_REQUEST') => fieldOf({ code, message });
    expect(refused('Expected quality to be a whole number from 1 to 100.')).toBe('quality');
    expect(refused('Expected options.longEdge to be a whole number.')).toBe('size');
    expect(refused('The folder is not granted.', 'FORBIDDEN_PATH')).toBe('saveTo');
    expect(refused('Something else.')).toBeUndefined();
  });
});
