/**
 * Pictures as the families use them. Implemented by the service (electron/service/compat-pictures.ts),
 * without types of its queue, store or engine.
 */
import type { Size } from '../../contract/src/geometry.ts';
import type { ModelDescriptor } from '../../contract/src/models/model.ts';
import type { Operation } from '../../contract/src/request.ts';
import type { Settings } from '../../contract/src/settings/settings.ts';

export interface PictureOrder {
  operation: Operation;
  /** Fields of a submit, validated like those. */
  fields: Record<string, unknown>;
}

/** A picture that a client sent or named. The receiver must call `make` or `discard`. */
export interface ReceivedPicture {
  /** Pixels. @throws EnlargerError what its task would fail with */
  size(): Promise<Size>;
  /**
   * Submits the picture before batches and returns its result. Takes ownership, also if it throws.
   * @param signal cancels the task
   * @throws EnlargerError of a submit or of the task, QUEUE_PAUSED, or CANCELLED if the signal fires
   */
  make(
    order: PictureOrder,
    signal: AbortSignal,
    onTask?: (taskId: string) => void,
  ): Promise<MadePicture>;
  /** Stores a copy as a background and returns the URL for `backgroundImage`. */
  asBackground(): Promise<string>;
  discard(): Promise<void>;
}

export interface MadePicture {
  /** Path of the result's file. */
  path: string;
  /** Media type. */
  type: string;
  input: Size;
  output: Size & { channels: number };
  /** Offset of the part of the source that the result shows; absent for all of it. */
  crop?: { x: number; y: number };
  model?: string;
  /** Milliseconds since 1970. */
  endedAt: number;
  /** Link to the result on the service's own port; needs no key. */
  link(): string;
  /** Writes colours as JPEG and alpha as PNG; the folder is created if missing. */
  splitInto(folder: string): Promise<{ coloursPath: string; alphaPath: string }>;
}

export interface Pictures {
  /** @throws EnlargerError INVALID_REQUEST, PAYLOAD_TOO_LARGE or STORAGE_FULL */
  receiveUrl(url: string): Promise<ReceivedPicture>;
  /**
   * Base64, with or without the head of a data: URL, or the placeholder of a staged image. Throws like
   * receiveUrl().
   */
  receiveBase64(text: string): Promise<ReceivedPicture>;
  /** Writes a stream under its sender's file name. Throws like receiveUrl(). */
  receiveFile(chunks: AsyncIterable<Uint8Array>, name: string): Promise<ReceivedPicture>;
  /** Returns the URL for `backgroundImage`. Throws like receiveUrl(). */
  acceptBackground(url: string): Promise<string>;
  /** Deletes a background unless a task needs it. */
  releaseBackground(url: string): Promise<void>;
  /** Percent and remaining seconds; undefined for an unknown task. */
  progressOf(taskId: string): { progress: number; etaSeconds?: number } | undefined;
  /** Ignores tasks that have ended. */
  cancel(taskId: string): void;
}

/** Installed networks. */
export interface CompatModels {
  readonly models: readonly ModelDescriptor[];
  /** Ascending. */
  scalesOf(modelId: string): number[];
}

export interface CompatSettings {
  get(): Settings;
}

/** Discards the picture if the work throws. */
export async function orDiscard<T>(picture: ReceivedPicture, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    await picture.discard();
    throw thrown;
  }
}
