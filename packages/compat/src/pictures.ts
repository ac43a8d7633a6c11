/**
 * The pictures of the families, as they use them. The service implements this (electron/service/compat-pictures.ts):
 * no type of its queue, store or engine appears here.
 */
import type { Size } from '../../../electron/contract/geometry.ts';
import type { ModelDescriptor } from '../../../electron/contract/models/model.ts';
import type { Operation } from '../../../electron/contract/request.ts';
import type { Settings } from '../../../electron/contract/settings/settings.ts';

export interface PictureOrder {
  operation: Operation;
  /** The fields of a submit, which are checked as a submit's are. */
  fields: Record<string, unknown>;
}

/** A picture that a client sent or named. Whoever received it calls `make` or `discard`. */
export interface ReceivedPicture {
  /** The size in pixels. @throws EnlargerError as a task of it would fail */
  size(): Promise<Size>;
  /**
   * Submits the picture, before batches, and returns its result. The picture is taken over, also when this throws.
   * @param signal cancels the task
   * @throws EnlargerError what a submit throws, the task's own error, QUEUE_PAUSED, or CANCELLED when the signal fires
   */
  make(
    order: PictureOrder,
    signal: AbortSignal,
    onTask?: (taskId: string) => void,
  ): Promise<MadePicture>;
  /** Stores it as a background and returns the URL for the field `backgroundImage`. The picture stays with its owner. */
  asBackground(): Promise<string>;
  discard(): Promise<void>;
}

export interface MadePicture {
  /** Path of the result's file. */
  path: string;
  /** Its media type. */
  type: string;
  input: Size;
  output: Size & { channels: number };
  /** The part of the source that the result shows; absent: all of it. */
  crop?: { x: number; y: number };
  model?: string;
  /** Milliseconds since 1970. */
  endedAt: number;
  /** A link to the result that needs no key; it leads to the service's own port. */
  link(): string;
  /** Writes the colours as a JPEG and the alpha as a PNG into a folder, which is made if missing. */
  splitInto(folder: string): Promise<{ coloursPath: string; alphaPath: string }>;
}

export interface Pictures {
  /** @throws EnlargerError INVALID_REQUEST, PAYLOAD_TOO_LARGE or STORAGE_FULL */
  receiveUrl(url: string): Promise<ReceivedPicture>;
  /**
   * Receives base64 with or without the head of a data: URL, or the placeholder of a picture that was held while its
   * body arrived. Throws like receiveUrl().
   */
  receiveBase64(text: string): Promise<ReceivedPicture>;
  /** Writes a stream under its sender's file name. Throws like receiveUrl(). */
  receiveFile(chunks: AsyncIterable<Uint8Array>, name: string): Promise<ReceivedPicture>;
  /** Returns the URL for the field `backgroundImage`. Throws like receiveUrl(). */
  acceptBackground(url: string): Promise<string>;
  /** Deletes a background that no task needs. */
  releaseBackground(url: string): Promise<void>;
  /** Percent done and the seconds to the end; undefined for a task that is gone. */
  progressOf(taskId: string): { progress: number; etaSeconds?: number } | undefined;
  /** A task that has ended, or is gone, is left alone. */
  cancel(taskId: string): void;
}

/** The installed networks. */
export interface CompatModels {
  readonly models: readonly ModelDescriptor[];
  /** The scales that a model can make, the smallest first. */
  scalesOf(modelId: string): number[];
}

export interface CompatSettings {
  get(): Settings;
}

/** Does work for a picture that no task has yet, and discards it when the work throws. */
export async function orDiscard<T>(picture: ReceivedPicture, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    await picture.discard();
    throw thrown;
  }
}
