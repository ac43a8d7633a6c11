/** The thread of the coders that sharp's libvips lacks: one file, then it ends. WebAssembly cannot reach out of it. */
import { OwnWords } from '../../../contract/faults.ts';
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createRaster } from '../raster-file.ts';
import { openBmp } from './bmp.ts';
import { openHeic } from './heic.ts';
import { openJxl, writeJxl } from './jxl.ts';
import type {
  ForeignAnswer,
  ForeignDecoder,
  ForeignPixels,
  ForeignRequest,
  ForeignWork,
} from './protocol.ts';
import { openRaw } from './raw.ts';

function openDecoder({
  format,
  path,
  isDeep,
}: ForeignRequest): Promise<ForeignDecoder> | ForeignDecoder {
  if (format === 'jxl') return openJxl(path);
  const file = readFileSync(path);
  if (format === 'bmp') return openBmp(file);
  return format === 'heic' ? openHeic(file, isDeep) : openRaw(file);
}

async function answer(work: ForeignWork): Promise<ForeignAnswer> {
  if (work.do === 'read') return read(work);
  await writeJxl(work);
  return { written: true };
}

async function read(request: ForeignRequest): Promise<ForeignAnswer> {
  const decoder = await openDecoder(request);
  const { head } = decoder;
  const { rasterPath, maxPixels } = request;
  if (rasterPath === undefined || head.width * head.height > maxPixels) return { head };
  const pixels = decoder.decode(rasterPath);
  if (!pixels) return { head };
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

void answer(workerData as ForeignWork)
  .catch((error: unknown): ForeignAnswer => ({
    refusal:
      error instanceof OwnWords ? error.message : 'it is damaged, or of a kind that is not known',
    ...(!(error instanceof OwnWords) && {
      said: error instanceof Error ? error.message : String(error),
    }),
  }))
  .then((said) => parentPort?.postMessage(said));
