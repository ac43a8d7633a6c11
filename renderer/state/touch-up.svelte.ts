/**
 * The brush, and what it painted over the selected photo. Strokes stay with their photo until they are
 * applied or cleared; applying makes a new row and leaves the old one as it is.
 */
import type { Stroke, StrokeKind } from '../../electron/contract/strokes.ts';
import type { Look } from './look.svelte.ts';
import type { PixelSize } from './photo.svelte.ts';
import type { Queue } from './queue.svelte.ts';
import {
  brushWidthPx,
  isOnPhoto,
  largestSize,
  ledOn,
  mostStrokes,
  radiusOf,
  usualSize,
  type Place,
} from './strokes.ts';
import { touchUpObstacle } from './touchable.ts';

export class TouchUp {
  kind = $state<StrokeKind>('keep');
  /** From 0 to largestSize. */
  size = $state(usualSize);
  /** While a key is held, dragging moves the picture. */
  movesPicture = $state(false);
  readonly #queue: Pick<Queue, 'selected' | 'touchUp'>;
  readonly #look: Pick<Look, 'tool'>;
  /** Its last stroke may be led on: it was not taken back meanwhile. */
  #isDrawn = false;

  readonly #photo = $derived.by(() => this.#queue.selected);
  /** Of the whole upright source, in pixels; undefined until it is known. */
  readonly whole: PixelSize | undefined = $derived.by(
    () => this.#photo?.record?.input ?? this.#photo?.sourceSize,
  );
  /** The text that says why the selected photo cannot be touched up. */
  readonly obstacle = $derived.by(() => touchUpObstacle(this.#photo));
  readonly isOn = $derived.by(() => this.#look.tool === 'touch-up' && this.obstacle === undefined);
  /** Not applied yet. */
  readonly strokes = $derived.by(() => this.#photo?.painted ?? []);
  /** How many may be painted beside those that the photo's task was given. */
  readonly most = $derived.by(() => mostStrokes - (this.#photo?.strokes.length ?? 0));
  readonly isFull = $derived(this.strokes.length >= this.most);
  readonly radius = $derived(radiusOf(this.size));
  /** The brush's, in pixels of the source. */
  readonly widthPx = $derived(this.whole && brushWidthPx(this.radius, this.whole));

  constructor(queue: Pick<Queue, 'selected' | 'touchUp'>, look: Pick<Look, 'tool'>) {
    this.#queue = queue;
    this.#look = look;
  }

  toggle(): void {
    if (this.isOn) this.end();
    else if (this.obstacle === undefined) {
      // Without a subject there is nothing to remove.
      if (this.#photo?.phase === 'FAILED') this.kind = 'keep';
      this.#look.tool = 'touch-up';
    }
  }

  end(): void {
    this.movesPicture = false;
    if (this.#look.tool === 'touch-up') this.#look.tool = undefined;
  }

  swapKind(): void {
    this.kind = this.kind === 'keep' ? 'remove' : 'keep';
  }

  resize(steps: number): void {
    this.size = Math.min(largestSize, Math.max(0, this.size + steps));
  }

  /** Whether a stroke was begun: there is room for it, and it is on the photo. */
  begin(at: Place): boolean {
    const { kind, radius, whole } = this;
    if (whole === undefined || this.isFull || !isOnPhoto(at, radius, whole)) return false;
    this.#paint([...this.strokes, { kind, radius, points: [at] }]);
    this.#isDrawn = true;
    return true;
  }

  leadTo(at: Place): void {
    const { strokes, whole, most } = this;
    if (this.#isDrawn && whole !== undefined) this.#paint(ledOn(strokes, at, whole, most));
  }

  undo(): void {
    this.#isDrawn = false;
    this.#paint(this.strokes.slice(0, -1));
  }

  clear(): void {
    this.#isDrawn = false;
    this.#paint([]);
  }

  async apply(): Promise<void> {
    const { strokes } = this;
    const photo = this.#photo;
    if (photo === undefined || !this.isOn || strokes.length === 0) return;
    this.clear();
    this.end();
    await this.#queue.touchUp(photo, strokes);
  }

  #paint(strokes: readonly Stroke[]): void {
    if (this.#photo !== undefined) this.#photo.painted = strokes;
  }
}
