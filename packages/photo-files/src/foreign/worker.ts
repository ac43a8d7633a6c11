/**
 * Thread of the codecs that sharp's libvips lacks. It handles one file, its header and its pixels, and is then
 * terminated; WebAssembly cannot reach out of it.
 */
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import { readFileSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import {
  createRpcServer,
  type RpcCall,
  type Failure,
} from '../../../../electron/engine/protocol/rpc.ts';
import { writeRaster } from '../../../../electron/engine/raster/raster-file.ts';
import { openBmp } from './bmp.ts';
import { openHeic } from './heic.ts';
import { openJxl, writeJxl } from './jxl.ts';
import type { ForeignCalls, ForeignDecoder, ForeignHeader, ForeignRequest } from './protocol.ts';
import { openRaw } from './raw.ts';

function openDecoder(request: ForeignRequest): Promise<ForeignDecoder> | ForeignDecoder {
  const { format, path, isDeep } = request;
  if (format === 'jxl') return openJxl(path);
  if (format === 'raw') return openRaw(path, request);
  const file = readFileSync(path);
  if (format === 'bmp') return openBmp(file);
  return openHeic(file, isDeep);
}

/** Of the one file, once its header was read. */
let decoder: ForeignDecoder | undefined;

async function read(request: ForeignRequest): Promise<ForeignHeader> {
  decoder ??= await openDecoder(request);
  const { head } = decoder;
  const { rasterPath, maxPixels } = request;
  if (rasterPath === undefined || head.width * head.height > maxPixels) return head;
  const pixels = decoder.decode(rasterPath);
  if (!pixels) return head;
  const { width, height, bits, bands, samples, stride } = pixels;
  const shape = { width, height, bits, bands };
  writeRaster(rasterPath, shape, samples, stride);
  return shape;
}

/** Own errors keep their message; the decoder's own message goes to the log. */
function failureOf(error: unknown): Failure {
  if (error instanceof UserFacingError) return { code: 'INTERNAL', message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  writeSync(2, `A foreign picture could not be read or written: ${message}\n`);
  return { code: 'INTERNAL', message: 'it is damaged, or of a kind that is not known' };
}

const serve = createRpcServer<ForeignCalls>(
  { read, write: writeJxl },
  (message) => parentPort?.postMessage(message),
  failureOf,
);
parentPort?.on('message', (call: RpcCall<ForeignCalls>) => void serve(call));
