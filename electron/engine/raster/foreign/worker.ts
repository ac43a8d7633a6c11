/** The thread of the decoders that libvips lacks: one file, then it ends. WebAssembly cannot reach out of it. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createRaster } from '../raster-file.ts';
import { openBmp } from './bmp.ts';
import { openHeic } from './heic.ts';
import type { ForeignAnswer, ForeignDecoder, ForeignPixels, ForeignRequest } from './protocol.ts';
import { openRaw } from './raw.ts';

function openDecoder({
  format,
  path,
  isDeep,
}: ForeignRequest): Promise<ForeignDecoder> | ForeignDecoder {
  const file = readFileSync(path);
  if (format === 'bmp') return openBmp(file);
  return format === 'heic' ? openHeic(file, isDeep) : openRaw(file);
}

async function answer(request: ForeignRequest): Promise<ForeignAnswer> {
  const decoder = await openDecoder(request);
  const { head } = decoder;
  const { rasterPath, maxPixels } = request;
  if (rasterPath === undefined || head.width * head.height > maxPixels) return { head };
  const pixels = decoder.decode();
  writePixels(rasterPath, pixels);
  const { width, height, bits, bands } = pixels;
  return { head: { width, height, bits, bands } };
}

function writePixels(path: string, pixels: ForeignPixels): void {
  const { width, height, bits, bands, samples, stride } = pixels;
  const raster = createRaster(path, { width, height, bits, bands });
  try {
    raster.writeRect({ x: 0, y: 0, width, height }, samples, 0, stride);
  } finally {
    raster.close();
  }
}

const request = workerData as ForeignRequest;
void answer(request)
  .catch((error: unknown): ForeignAnswer => ({
    refusal: error instanceof Error ? error.message : 'it cannot be read',
  }))
  .then((said) => parentPort?.postMessage(said));
