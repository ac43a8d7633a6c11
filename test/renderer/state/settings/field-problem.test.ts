import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boundsOf } from '../../../../packages/contract/src/common.ts';
import { Choices } from '../../../../packages/contract/src/settings/page.ts';
import { fieldOf, shownFields } from '../../../../renderer/state/settings/field-problem.ts';

const refused = (message: string, code = 'INVALID_REQUEST') => fieldOf({ code, message });
const controls = globSync('renderer/components/{settings,take}/*.svelte')
  .map((path) => readFileSync(path, 'utf8'))
  .join();

describe('a refusal of the service', () => {
  it('belongs to the field that its sentence begins with', () => {
    expect(refused('Expected quality to be a whole number from 1 to 100.')).toBe('quality');
    expect(refused('Expected options.longEdge to be a whole number.')).toBe('size');
    expect(refused('The folder is not granted.', 'FORBIDDEN_PATH')).toBe('saveTo');
    expect(refused('Something else.')).toBeUndefined();
    expect(refused('Expected strokes to be a list.')).toBeUndefined();
  });

  it.each(['shadow', 'feather', 'decontaminate', 'subjectScale', 'grain'])(
    'of %s belongs to its control',
    (name) => expect(refused(`Expected options.${name} to be less.`)).toBe(name),
  );

  it('of a part belongs to the control of the whole', () => {
    expect(refused('Expected position.x to be less.')).toBe('position');
    expect(refused('Expected enlarge.first to be enlarge.')).toBe('first');
    expect(refused('Expected options.enlarge.sharpen to be less.')).toBe('sharpen');
  });

  it('is shown by a control, whichever field it names', () => {
    const asked = [...controls.matchAll(/editor\.(?:field|range|problemOf)\(([^()]*)\)/g)];
    const shown = asked.map(([, names = '']) => /'(\w+)'$/.exec(names)?.[1]);
    expect(shownFields.filter((name) => !shown.includes(name))).toEqual([]);
  });
});

describe("a control's bounds", () => {
  it('are those that the service takes', () => {
    expect(boundsOf(Choices.properties.cropMargin)).toEqual({ min: 0, max: 100 });
    expect(boundsOf(Choices.properties.quality)).toEqual({ min: 1, max: 100 });
    expect(boundsOf(Choices.properties.megapixels)).toEqual({ min: 0, max: 100_000 });
    expect(boundsOf(Choices.properties.restore)).toEqual({ min: 0, max: 100 });
  });

  it('are written in no control', () => {
    expect(controls.match(/max=\{[\d_]+\}/g)).toBeNull();
  });
});
