import { describe, expect, it } from 'vitest';
import type { AmountMask } from '../../../../packages/contract/src/request.ts';
import { defaultChoices } from '../../../../packages/contract/src/settings/page.ts';
import {
  choicesOf,
  choicesOfRecord,
  commonValue,
  isTransparent,
  requestOf,
} from '../../../../renderer/state/options/choices.ts';
import { changeOf } from '../../../../renderer/state/queue/option-changes.ts';

const cutout = { ...defaultChoices, operation: 'remove-bg' as const };

describe('what is asked for a photo', () => {
  it('is a submit without its picture', () => {
    expect(requestOf({ ...defaultChoices, scale: 4, upscaler: 'faithful' })).toEqual({
      operation: 'upscale',
      options: {
        scale: 4,
        model: 'faithful',
        format: 'same',
        quality: 92,
        bitDepth: 'same',
        metadata: 'keep',
      },
    });
  });

  it('names a size in place of the scale, and quality only where it means something', () => {
    const { options } = requestOf({ ...defaultChoices, sizing: 'longEdge', format: 'png' });
    expect(options).toMatchObject({ longEdge: 3840 });
    expect(options).not.toHaveProperty('scale');
    expect(options).not.toHaveProperty('quality');
  });

  it('leaves the background out of a mask, and the format of a cut-out to the service', () => {
    expect(requestOf(cutout).options).toEqual({
      background: 'transparent',
      bitDepth: 'same',
      metadata: 'keep',
    });
    const { options } = requestOf({ ...cutout, maskOnly: true, isCropped: true, cropMargin: 0 });
    expect(options).toMatchObject({ maskOnly: true, crop: 0 });
    expect(options).not.toHaveProperty('background');
  });

  it('is transparent only as a cut-out with nothing behind it', () => {
    expect(isTransparent(cutout)).toBe(true);
    const opaque = [
      { background: '#ffffff' },
      { background: 'blur' as const },
      { backgroundImage: 'file:///sky.jpg' },
      { maskOnly: true },
      { operation: 'upscale' as const },
    ];
    for (const change of opaque) expect(isTransparent({ ...cutout, ...change })).toBe(false);
  });

  it('names the edge of a cut-out where it is not the usual one, and frees a mask of nothing', () => {
    const edge = { feather: 4, decontaminate: 50 };
    expect(requestOf(cutout).options).not.toHaveProperty('feather');
    expect(requestOf({ ...cutout, ...edge }).options).toMatchObject(edge);
    const { options } = requestOf({ ...cutout, ...edge, maskOnly: true });
    expect(options).toMatchObject({ feather: 4 });
    expect(options).not.toHaveProperty('decontaminate');
    expect(requestOf({ ...defaultChoices, ...edge }).options).not.toHaveProperty('feather');
  });

  it('has how a cut-out is enlarged, beside it, and comes back so', () => {
    const both = {
      ...cutout,
      ...{ isEnlarged: true, scale: 4 as const, upscaler: 'natural', saveTo: '' },
      ...{ enlargeFirst: 'cutout' as const, sharpen: 20, isCropped: true },
    };
    const { operation, options } = requestOf(both);
    expect(operation).toBe('remove-bg');
    expect(options).toMatchObject({
      crop: 5,
      enlarge: { scale: 4, model: 'natural', first: 'cutout', sharpen: 20 },
    });
    expect(options).not.toHaveProperty('scale');
    expect(choicesOf({ operation, options })).toEqual(both);
    expect(requestOf({ ...both, maskOnly: true }).options.enlarge).not.toHaveProperty('first');
    expect(changeOf(both, { ...both, isEnlarged: false }).options).toMatchObject({ enlarge: null });
  });

  it('has the strokes of a cut-out, and of an enlargement with the area that they change', () => {
    const strokes = [
      { kind: 'keep' as const, radius: 0.1, points: [[0.5, 0.5]] as [[number, number]] },
    ];
    expect(requestOf(cutout, strokes).options).toMatchObject({ strokes });
    expect(requestOf(cutout).options).not.toHaveProperty('strokes');
    expect(requestOf(defaultChoices, strokes).options).not.toHaveProperty('strokes');
    const areaOf = (chosen: '' | 'subject', amountMask: AmountMask) =>
      requestOf({ ...defaultChoices, amountMask: chosen }, strokes, { amountMask }).options;
    for (const amountMask of ['everywhere', 'painted'] as const)
      expect(areaOf('', amountMask)).toMatchObject({ amountMask, strokes });
    expect(areaOf('subject', 'painted')).toMatchObject({ amountMask: 'subject', strokes });
    // The settings say everywhere instead.
    expect(areaOf('', 'subject')).not.toHaveProperty('strokes');
  });

  it('names the template always, because kept results are saved later, and the rule only with a folder', () => {
    const kept = requestOf({ ...defaultChoices, saveTo: '', name: '{n}' }).options;
    expect(kept).toMatchObject({ name: '{n}' });
    expect(kept).not.toHaveProperty('onConflict');
    const { options } = requestOf({ ...defaultChoices, name: '{n}', saveTo: '/out' });
    expect(options).toMatchObject({ saveTo: '/out', name: '{n}', onConflict: 'number' });
  });

  it('wants a result to be accepted first only where it is saved in a folder', () => {
    const accepted = { ...defaultChoices, onlyAccepted: true };
    const kept = requestOf({ ...accepted, saveTo: '' });
    expect(kept.options).not.toHaveProperty('onlyAccepted');
    const saved = requestOf({ ...accepted, saveTo: '/out' });
    expect(saved.options).toMatchObject({ saveTo: '/out', onlyAccepted: true, oneVersion: true });
    expect(choicesOf(saved).onlyAccepted).toBe(true);
    expect(requestOf({ ...defaultChoices, saveTo: '/out' }).options).not.toHaveProperty(
      'onlyAccepted',
    );
  });

  it('comes back as it was asked for', () => {
    const kept = { ...defaultChoices, saveTo: '' };
    for (const choices of [
      kept,
      { ...kept, sizing: 'megapixels' as const, megapixels: 50, format: 'webp' as const },
      { ...defaultChoices, sizing: 'height' as const, sidePx: 2000, sharpen: 20, saveTo: '/out' },
      {
        ...cutout,
        saveTo: '',
        background: '#ff0000',
        isCropped: true,
        cropMargin: 12,
        feather: 3,
        decontaminate: 60,
        remover: 'cutout',
      },
    ])
      expect(choicesOf(requestOf(choices))).toEqual(choices);
  });

  it("is read from a task's record, and not from one that saves a result again", () => {
    const options = {
      model: 'faithful',
      format: 'jpeg',
      formatChosen: false,
      bitDepth: 'same',
      metadata: 'none',
      target: { kind: 'width', value: 1200 },
    } as const;
    expect(choicesOfRecord({ operation: 'upscale', options })).toMatchObject({
      sizing: 'width',
      sidePx: 1200,
      format: 'same',
      metadata: 'none',
    });
    expect(choicesOfRecord({ operation: 'convert', options })).toBeUndefined();
  });

  it('is common to several photos or mixed', () => {
    const rows = [defaultChoices, { ...defaultChoices, scale: 8 as const }];
    expect(commonValue(rows, 'format')).toBe('same');
    expect(commonValue(rows, 'scale')).toBeUndefined();
  });
});

describe('a change of a waiting task', () => {
  it('sets back what is not asked for any more', () => {
    const before = { ...defaultChoices, saveTo: '/out', upscaler: 'faithful' };
    const { options } = changeOf(before, { ...defaultChoices, format: 'png' });
    expect(options).toMatchObject({ saveTo: null, onConflict: null, model: null, quality: null });
    expect(options).toMatchObject({ format: 'png', scale: 2 });
  });

  it('lets what had to be accepted be saved as it is finished', () => {
    const before = { ...defaultChoices, saveTo: '/out', onlyAccepted: true };
    const { options } = changeOf(before, { ...before, onlyAccepted: false });
    expect(options).toMatchObject({ saveTo: '/out', onlyAccepted: null });
  });

  it('sets a size without setting back the scale that it replaces', () => {
    const { options } = changeOf(defaultChoices, { ...defaultChoices, sizing: 'width' });
    expect(options).toMatchObject({ width: 3840 });
    expect(options).not.toHaveProperty('scale');
  });

  it('names the operation when that changes, and sets back only what both take', () => {
    const change = changeOf(defaultChoices, cutout);
    expect(change).toMatchObject({ operation: 'remove-bg', options: { format: null } });
    expect(change.options).not.toHaveProperty('sharpen');
  });
});

describe('what stands behind a subject and where it stands', () => {
  const placed = {
    ...cutout,
    backgroundImage: 'https://example.org/beach.jpg',
    shadow: 40,
    isOnCanvas: true,
    canvasWidth: 1200,
    canvasHeight: 900,
    subjectScale: 70,
    positionX: 20,
    positionY: 100,
  };

  it('has a named colour as the lists of the page have it', () => {
    const named = choicesOf({ operation: 'remove-bg', options: { background: 'white' } });
    expect(named.background).toBe('#ffffff');
  });

  it('is asked for, a picture in place of the background, and read again', () => {
    const { operation, options } = requestOf(placed);
    expect(options).toMatchObject({
      backgroundImage: 'https://example.org/beach.jpg',
      shadow: 40,
      canvas: { width: 1200, height: 900 },
      subjectScale: 70,
      position: { x: 20, y: 100 },
    });
    expect(options).not.toHaveProperty('background');
    expect(choicesOf({ operation, options })).toMatchObject({ ...placed, saveTo: '' });
  });

  it('is not asked for without a canvas, and of a mask only where it stands', () => {
    expect(requestOf(cutout).options).not.toHaveProperty('canvas');
    const { options } = requestOf({ ...placed, maskOnly: true });
    expect(options).toMatchObject({ maskOnly: true, canvas: { width: 1200 } });
    expect(options).not.toHaveProperty('shadow');
    expect(options).not.toHaveProperty('backgroundImage');
  });
});
