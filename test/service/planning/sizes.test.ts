import { describe, expect, it } from 'vitest';
import { dataUrl, openService } from '../../support/service.ts';

describe('a size in place of a scale', () => {
  it.each([
    ['width', 150],
    ['height', 75],
    ['longEdge', 150],
    ['megapixels', 0.01125],
  ])('by %s is taken, planned and kept in the options', async (kind, value) => {
    const service = await openService();
    const body = { imageUrl: dataUrl, [kind]: value };
    const estimate = (await service.call('POST', '/api/estimate', body)).body;
    expect(estimate).toMatchObject({ width: 150, height: 75 });
    const { options } = await service.record(await service.submit(dataUrl, { [kind]: value }));
    expect(options).toMatchObject({ target: { kind, value } });
    expect(options).not.toHaveProperty('scale');
  });

  it.each([
    { scale: 2, width: 100 },
    { width: 100, height: 100 },
    { longEdge: 0 },
    { megapixels: -1 },
    { width: 1.5 },
    { sharpen: 101 },
  ])('%j is refused, and nothing is queued', async (fields) => {
    const service = await openService();
    const response = await service.call('POST', '/api/image-upscaler', {
      imageUrl: dataUrl,
      ...fields,
    });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('that no scale reaches is named as a problem of the estimate', async () => {
    const service = await openService();
    const body = { imageUrl: dataUrl, width: 100_000 };
    expect((await service.call('POST', '/api/estimate', body)).body).toMatchObject({
      problem: { code: 'IMAGE_TOO_LARGE' },
    });
  });
});
