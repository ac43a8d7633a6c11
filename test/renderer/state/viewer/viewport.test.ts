import { describe, expect, it } from 'vitest';
import { placeInUnits } from '../../../../renderer/state/viewer/pictures.ts';

describe('deep zoom in step with the stage', () => {
  const frame = { width: 800, height: 600 };

  it('has the picture in the middle of the frame', () => {
    const place = { frame, width: 400, height: 200, offset: { x: 0, y: 0 } };
    expect(placeInUnits(place)).toEqual({ zoom: 0.5, centre: { x: 0.5, y: 0.25 } });
  });

  it('looks left of the middle when the picture was pushed right', () => {
    const place = { frame, width: 1600, height: 1600, offset: { x: 160, y: -80 } };
    expect(placeInUnits(place)).toEqual({ zoom: 2, centre: { x: 0.4, y: 0.55 } });
  });
});
