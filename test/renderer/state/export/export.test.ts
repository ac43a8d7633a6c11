import { describe, expect, it } from 'vitest';
import { convertBody } from '../../../../renderer/state/export/convert.ts';
import { blobOf } from '../../../../renderer/state/thumbnails/service-views.ts';

describe('saving in another format', () => {
  const choices = {
    quality: 80,
    bitDepth: 16,
    metadata: 'private',
    background: '#ffffff',
    saveTo: '',
  } as const;

  it('asks only for what the format has', () => {
    expect(convertBody({ ...choices, format: 'tiff' }, false)).toEqual({
      format: 'tiff',
      metadata: 'private',
      bitDepth: 16,
    });
    expect(convertBody({ ...choices, format: 'webp' }, true)).toEqual({
      format: 'webp',
      metadata: 'private',
      quality: 80,
    });
  });

  it('gives a cut-out a background where the format has no transparency', () => {
    const body = convertBody({ ...choices, format: 'jpeg', saveTo: '/photos' }, true);
    expect(body).toMatchObject({ background: '#ffffff', saveTo: '/photos' });
  });
});

describe('pictures that come inside an answer', () => {
  it('become bytes of their own', async () => {
    const blob = blobOf('data:image/png;base64,iVBORw==');
    expect(blob.type).toBe('image/png');
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  it('are refused when they are none', () => {
    expect(() => blobOf('https://example.org/a.png')).toThrow('Expected a base64 data: URL.');
  });
});
