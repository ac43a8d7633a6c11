import { describe, expect, it } from 'vitest';
import type { Estimate } from '../../../electron/contract/task.ts';
import { dataUrl, openService } from '../../support/service.ts';

describe('the estimate of a JPEG XL without loss', () => {
  const head = { format: 'jxl', width: 4000, height: 4000, bitDepth: 8, channels: 3, pages: 1 };
  const inspection = { ...head, sizeBytes: 24e6, lossless: true };

  it('is that of quality 100, as which its job is run', async () => {
    const service = await openService({ inspection });
    const estimate = async (fields: object) =>
      (await service.call('POST', '/api/estimate', { imageUrl: dataUrl, ...fields }))
        .body as Estimate;
    const found = await estimate({});
    expect(found).toMatchObject({ width: 8000, height: 8000, format: 'jxl' });
    expect(found.fileSizeBytes).toBe((await estimate({ quality: 100 })).fileSizeBytes);
    expect(found.fileSizeBytes).toBeGreaterThan((await estimate({ quality: 99 })).fileSizeBytes);
  });
});
