/** Shows the mask of the photo that is touched up, as it is being painted, for one photo at a time. */
import { untrack } from 'svelte';
import type { Rect } from '../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';
import type { PictureCalls } from '../../../packages/api-client/src/picture-calls.ts';
import { ApiError } from '../../../packages/api-client/src/transport.ts';
import { readDisplayCopy, readLevels } from './display-copy.ts';
import { LiveMask } from './live-mask.ts';
import type { Photo, PixelSize } from '../photo/photo.svelte.ts';
import {
  distinctColour,
  isLostOn,
  subjectEdge,
  type ColourValues,
  type OverlayColour,
} from './overlay-colour.ts';
import { isClick } from './strokes.ts';

export class LiveView {
  /** The picture is white, as opaque as the cut-out, and undefined until it is read or where it cannot be. */
  picture = $state.raw<OffscreenCanvas>();
  /** Counts how often something was drawn on the picture. */
  drawn = $state(0);
  #mask: LiveMask | undefined;
  #turn = 0;
  /** Requests the mask that strokes choose; undefined where there is none. */
  #correct: ((strokes: readonly Stroke[]) => Promise<Blob>) | undefined;
  /** A model without clicks still finds what boxes hold. */
  takesClicks = $state(true);
  /** The overlay's colour that is told apart from this photo's own. */
  distinctColour = $state<OverlayColour>('red');
  #edge = $state.raw<readonly ColourValues[]>([]);
  /** The photo or its mask is not to be had, so that nothing is shown as it is painted. */
  isUnavailable = $state(false);
  /** A click or box that waits for the service. */
  pending = $state.raw<Stroke>();
  /** Clicks and boxes whose answer is shown. */
  #answered = new WeakSet<Stroke>();

  /** @param whole is the size of the upright source */
  async open(photo: Photo, whole: PixelSize, calls: PictureCalls): Promise<void> {
    const turn = ++this.#turn;
    this.takesClicks = true;
    this.isUnavailable = false;
    const copy = await readDisplayCopy(photo, calls);
    if (turn !== this.#turn) return;
    this.isUnavailable = copy === undefined;
    this.takesClicks = copy !== undefined;
    if (copy === undefined) return;
    this.distinctColour = distinctColour(copy);
    this.#edge = subjectEdge(copy);
    this.#mask = new LiveMask(copy, whole);
    const { taskId } = photo;
    this.#correct =
      taskId === undefined
        ? undefined
        : (strokes) => calls.correctMask(taskId, { strokes: [...strokes] });
    this.picture = new OffscreenCanvas(copy.width, copy.height);
    this.#draw({ x: 0, y: 0, width: copy.width, height: copy.height });
    // The service then has the photo's features before the first click.
    await this.#request([]);
  }

  /** Whether the subject would not be seen on a background. @param colour #rrggbb */
  isLostOn(colour: string): boolean {
    return isLostOn(this.#edge, colour);
  }

  close(): void {
    this.#turn += 1;
    this.#mask = undefined;
    this.#correct = undefined;
    this.#answered = new WeakSet();
    this.picture = undefined;
    this.pending = undefined;
  }

  show(strokes: readonly Stroke[]): void {
    const changed = this.#mask?.show(strokes);
    if (changed !== undefined) this.#draw(changed);
  }

  /**
   * Shows what the strokes choose once the service has found it, unless other ones were painted meanwhile.
   *
   * @returns the clicks that choose nothing
   */
  async choose(strokes: readonly Stroke[]): Promise<readonly Stroke[]> {
    const mask = this.#mask;
    const open = strokes.filter((one) => one.selects !== undefined && !this.#answered.has(one));
    const clicks = open.filter(isClick);
    this.pending = open.at(-1);
    if (!mask || (open.length === 0 && strokes.at(-1)?.selects === undefined)) return [];
    const levels = await this.#levels(strokes, mask);
    if (this.#mask !== mask || !mask.shows(strokes)) return [];
    this.pending = undefined;
    const missed = clicks.filter((click) => !levels || !mask.obeys(levels, click));
    if (missed.length > 0 || !levels) return missed;
    for (const one of open) this.#answered.add(one);
    const changed = mask.underlay(levels);
    if (changed !== undefined) this.#draw(changed);
    return [];
  }

  /** Requests the mask in the size of the shown one. */
  async #levels(strokes: readonly Stroke[], size: LiveMask): Promise<Uint8Array | undefined> {
    const picture = await this.#request(strokes.filter(({ hardness }) => hardness === undefined));
    return picture && readLevels(picture, size);
  }

  /** Requests the mask; undefined where the model takes none of the strokes, or the photo is gone. */
  async #request(strokes: readonly Stroke[]): Promise<Blob | undefined> {
    const correct = this.#correct;
    const taken = this.takesClicks ? strokes : strokes.filter(({ selects }) => selects === 'box');
    if (correct === undefined || (!this.takesClicks && taken.length === 0)) return undefined;
    try {
      return await correct(taken);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A service that was too busy, or away, answers the next click.
      if (this.#correct !== correct || !isFinal(error)) return undefined;
      const isRefused = error.code === 'INVALID_REQUEST' && this.takesClicks;
      this.takesClicks = false;
      if (!isRefused) this.#correct = undefined;
      return isRefused ? this.#request(strokes) : undefined;
    }
  }

  #draw({ x, y, width, height }: Rect): void {
    const mask = this.#mask;
    const context = this.picture?.getContext('2d');
    if (mask === undefined || !context || width <= 0 || height <= 0) return;
    const part = new ImageData(width, height);
    for (let row = 0; row < height; row += 1)
      for (let column = 0; column < width; column += 1) {
        const to = (row * width + column) * 4;
        part.data[to] = part.data[to + 1] = part.data[to + 2] = 255;
        part.data[to + 3] = mask.alpha[(y + row) * mask.width + x + column] ?? 0;
      }
    context.putImageData(part, x, y);
    this.drawn = untrack(() => this.drawn) + 1;
  }
}

/** Whether each further request would be refused likewise. */
const isFinal = ({ code }: ApiError) =>
  ['INVALID_REQUEST', 'NOT_FOUND', 'TASK_NOT_FOUND'].includes(code);
