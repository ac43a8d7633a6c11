import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { createCheck } from '../../../packages/http/src/index.ts';
import { createValidatorCompiler } from '../../../packages/http/src/validation.ts';

it('validates a named schema by itself after it was part of another one, and the other way round', () => {
  for (const [name, partFirst] of [
    ['OnceAPart', true],
    ['OnceAlone', false],
  ] as const) {
    const schema = Type.Object({ scale: Type.Literal(2) }, { $id: name });
    const checkPart = createCheck(Type.Object({ item: schema }), 'body');
    const compile = createValidatorCompiler(() => ({ [name]: schema }));
    const whole = compile({
      schema: { $ref: `${name}#` },
      method: 'POST',
      url: '/',
      httpPart: 'body',
    });
    const part = () => expect(checkPart({ item: { scale: 2 } })).toEqual({ item: { scale: 2 } });
    if (partFirst) part();
    expect(whole({ scale: 2 })).toEqual({ value: { scale: 2 } });
    expect(whole({ scale: 3 })).toMatchObject({
      error: { message: 'Expected scale to be 2 but received 3 of type number.' },
    });
    part();
  }
});
