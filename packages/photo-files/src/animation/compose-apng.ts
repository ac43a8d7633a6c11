/**
 * Decodes an animated PNG's frames, which libvips does not read, and composes each on the canvas. A frame is
 * held in memory, not the animation.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFileBytes } from '../../../file-records/src/index.ts';
import { createYield } from '../../../../electron/engine/cancellation/yield.ts';
import {
  pngOfFrame,
  readApng,
  type Apng,
  type ApngFrame,
} from '../metadata/containers/apng-chunks.ts';
import { openPicture } from '../../../../electron/engine/raster/libvips.ts';
import {
  consumeRaster,
  createRaster,
  createSamples,
  hasAlpha,
  samplesIn,
  type Raster,
  type RasterShape,
  type Samples,
} from '../../../../electron/engine/raster/raster-file.ts';

interface ApngOrder {
  sourcePath: string;
  scratchDir: string;
  /** Frames below one another. */
  toPath: string;
  /** Interpretation of the decoded frames, by libvips' name. */
  space: string;
  /** Number of frames that the header promised. */
  frames: number;
  /** Size of the canvas. */
  width: number;
  height: number;
  seconds: number;
}

/** Writes all frames. @throws if one is missing or damaged, the signal's reason */
export async function composeApng(
  order: ApngOrder,
  signal: AbortSignal,
): Promise<Pick<Apng, 'plays'> & { delaysMs: number[] }> {
  const apng = withFileBytes(order.sourcePath, readApng);
  if (apng.frames.length !== order.frames || order.frames === 0)
    throw new Error(`The PNG has ${apng.frames.length} frames, not ${order.frames}.`);
  const yieldTurn = createYield(signal);
  let target: Raster | undefined;
  let canvas: Canvas | undefined;
  try {
    for (const [i, frame] of apng.frames.entries()) {
      await yieldTurn();
      const decoded = await decodeFrame(order, apng, frame);
      canvas ??= createCanvas(order, decoded.shape, apng);
      const { shape } = canvas;
      target ??= createRaster(order.toPath, { ...shape, height: shape.height * order.frames });
      const undo = frame.disposal === 'restore' ? canvas.samples.slice() : undefined;
      draw(canvas, frame, decoded);
      target.writeRect(
        { x: 0, y: i * shape.height, width: shape.width, height: shape.height },
        canvas.samples,
        0,
        shape.width * shape.bands,
      );
      if (undo) canvas.samples.set(undo);
      else if (frame.disposal === 'clear') clear(canvas, frame);
    }
  } finally {
    target?.close();
  }
  return { plays: apng.plays, delaysMs: apng.frames.map(({ delayMs }) => delayMs) };
}

interface Canvas {
  shape: RasterShape;
  samples: Samples;
}

/** The canvas begins transparent, and is opaque throughout only if the frames are and none is cleared. */
function createCanvas({ width, height }: ApngOrder, frame: RasterShape, apng: Apng): Canvas {
  const [first] = apng.frames;
  const isCovered = first?.width === width && first.height === height;
  const isCleared = apng.frames.some(
    ({ disposal }, i) => disposal === 'clear' || (i === 0 && disposal === 'restore'),
  );
  const isOpaque = !hasAlpha(frame) && isCovered && !isCleared;
  const bands = isOpaque || hasAlpha(frame) ? frame.bands : frame.bands + 1;
  const shape = { width, height, bands, bits: frame.bits };
  return { shape, samples: createSamples(shape, width * height * bands) };
}

async function decodeFrame(
  { sourcePath, scratchDir, space, seconds }: ApngOrder,
  apng: Apng,
  frame: ApngFrame,
): Promise<Canvas> {
  const pngPath = join(scratchDir, 'frame.png');
  const path = join(scratchDir, 'frame.v');
  writeFileSync(
    pngPath,
    withFileBytes(sourcePath, (bytes) => pngOfFrame(apng, frame, bytes)),
  );
  await openPicture(pngPath, { ignoreIcc: true })
    .toColourspace(space)
    .timeout({ seconds })
    .toFile(path);
  rmSync(pngPath);
  return consumeRaster(path, (raster) => {
    const { width, height } = raster.shape;
    return { shape: raster.shape, samples: samplesIn(raster, { x: 0, y: 0, width, height }) };
  });
}

/** Draws the frame as its chunk says (PNG specification, third edition, 11.3.6.2 and 13.16). */
function draw({ shape, samples }: Canvas, frame: ApngFrame, from: Canvas): void {
  const { bands } = shape;
  const fromBands = from.shape.bands;
  const colours = bands < 3 ? 1 : 3;
  const max = shape.bits === 8 ? 255 : 65_535;
  for (let y = 0; y < frame.height; y += 1)
    for (let x = 0; x < frame.width; x += 1) {
      const at = ((frame.y + y) * shape.width + frame.x + x) * bands;
      const source = (y * frame.width + x) * fromBands;
      const alpha = fromBands === colours ? max : (from.samples[source + colours] as number);
      const before = bands === colours ? max : (samples[at + colours] as number);
      if (frame.isOver && alpha === 0) continue;
      // Shares of 1, as in the specification's formula divided by the square of the maximum.
      const isMixed = frame.isOver && alpha < max && before > 0;
      const under = isMixed ? (1 - alpha / max) * before : 0;
      const whole = alpha + under;
      for (let c = 0; c < colours; c += 1) {
        const own = from.samples[source + c] as number;
        samples[at + c] = isMixed
          ? Math.round((own * alpha + (samples[at + c] as number) * under) / whole)
          : own;
      }
      if (bands > colours) samples[at + colours] = Math.round(whole);
    }
}

function clear({ shape, samples }: Canvas, { x, y, width, height }: ApngFrame): void {
  for (let row = y; row < y + height; row += 1) {
    const start = (row * shape.width + x) * shape.bands;
    samples.fill(0, start, start + width * shape.bands);
  }
}
