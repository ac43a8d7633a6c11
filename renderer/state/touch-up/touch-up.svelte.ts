/**
 * The brush, and what it painted over the selected photo. Strokes stay with their photo until they are
 * applied or cleared; applying makes a version of the photo with them, and the tool goes on with that one.
 */
import { given, namesOf } from '../../../electron/contract/given.ts';
import type { Stroke, StrokeKind } from '../../../electron/contract/strokes.ts';
import type { Look } from '../look/look.svelte.ts';
import type { Photo, PixelSize } from '../queue/photo.svelte.ts';
import type { Queue } from '../queue/queue.svelte.ts';
import {
  brushWidthPx,
  isOnPhoto,
  largestSize,
  ledOn,
  mostStrokes,
  radiusOf,
  usualSize,
  type Edge,
  type Place,
} from './strokes.ts';
import { touchUpObstacle } from './touchable.ts';

/** How a mask is looked at: what is left of the photo, the mask alone, or what goes in red. */
const maskViews = ['cutout', 'mask', 'overlay'] as const;
export type MaskView = (typeof maskViews)[number];

const usualEdge: Edge = { feather: 0, decontaminate: 100 };
const hardnessStep = 10;

/** Painted or changed, and on its way to a version. */
interface Refining {
  from: Photo;
  taskId: string | undefined;
  /** How many strokes were sent. */
  count: number;
}

/** Of a version: what was painted for it, and over which one. */
interface Applied {
  version: Photo;
  from: Photo;
  strokes: readonly Stroke[];
}

type UsedQueue = Pick<Queue, 'selected' | 'photos' | 'touchUp' | 'follow'>;

export class TouchUp {
  kind = $state<StrokeKind>('keep');
  /** From 0 to largestSize. */
  size = $state(usualSize);
  /** Whether a stroke takes what is like its middle and stops at edges; else it takes all that it covers. */
  seeksEdges = $state(true);
  /** Of a brush that does not seek edges, in percent. */
  hardness = $state(100);
  view = $state<MaskView>('cutout');
  /** While a key is held, dragging moves the picture. */
  movesPicture = $state(false);
  /** Taken by a photo, not by a person: the keys stay with the list. */
  isOffered = $state(false);
  readonly #queue: UsedQueue;
  readonly #look: Pick<Look, 'tool'>;
  /** Its last stroke may be led on: it was not taken back meanwhile. */
  #isDrawn = false;
  /** Taken back, the last one first. */
  #undone = $state.raw<readonly Stroke[]>([]);
  #edge = $state.raw<{ photo: Photo; changed: Partial<Edge> }>();
  #refining = $state.raw<Refining>();
  /** Where versions that were made here came from. */
  #applied = $state.raw<readonly Applied[]>([]);

  readonly #photo = $derived.by(() => this.#queue.selected);
  /** Of the whole upright source, in pixels; undefined until it is known. */
  readonly whole: PixelSize | undefined = $derived.by(
    () => this.#photo?.record?.input ?? this.#photo?.sourceSize,
  );
  /** The text that says why the selected photo cannot be touched up. */
  readonly obstacle = $derived.by(() => touchUpObstacle(this.#photo));
  readonly isOn = $derived.by(() => this.#look.tool === 'touch-up' && this.obstacle === undefined);
  /** Not part of the result that is seen. */
  readonly strokes = $derived.by(() => this.#photo?.painted ?? []);
  /** How many may be painted beside those that the photo's task was given. */
  readonly most = $derived.by(() => mostStrokes - (this.#photo?.strokes.length ?? 0));
  readonly isFull = $derived(this.strokes.length >= this.most);
  readonly radius = $derived(radiusOf(this.size));
  /** The brush's, in pixels of the source. */
  readonly widthPx = $derived(this.whole && brushWidthPx(this.radius, this.whole));
  readonly #appliedEdge: Edge = $derived.by(() => ({
    ...usualEdge,
    ...given<Partial<Edge>, keyof Edge>(this.#photo?.record?.options ?? {}, namesOf(usualEdge)),
  }));
  readonly edge: Edge = $derived({
    ...this.#appliedEdge,
    ...(this.#edge?.photo === this.#photo ? this.#edge?.changed : {}),
  });
  /** What was painted last and is not refined just now; or, with none left, what was applied before. */
  readonly canUndo = $derived.by(() => this.count > 0 || this.#before() !== undefined);
  readonly canRedo = $derived(this.#undone.length > 0);
  readonly isRefining = $derived(
    this.#refining !== undefined && this.#refining.from === this.#photo,
  );
  /** How many strokes were painted since the last ones were sent. */
  readonly count = $derived(
    this.strokes.length - (this.isRefining ? (this.#refining?.count ?? 0) : 0),
  );
  readonly isChanged = $derived(
    this.count > 0 ||
      this.edge.feather !== this.#appliedEdge.feather ||
      this.edge.decontaminate !== this.#appliedEdge.decontaminate,
  );
  /** The version that is being made; undefined before it is listed, and when it is not waited for. */
  readonly awaited = $derived.by(() => {
    const taskId = this.#refining?.taskId;
    return taskId === undefined
      ? undefined
      : this.#queue.photos.find((photo) => photo.taskId === taskId);
  });

  constructor(queue: UsedQueue, look: Pick<Look, 'tool'>) {
    this.#queue = queue;
    this.#look = look;
  }

  toggle(): void {
    if (this.isOn) this.end();
    else if (this.obstacle === undefined) this.#begin(false);
  }

  /** A photo without a subject is painted on at once. */
  offer(): void {
    if (!this.isOn && this.obstacle === undefined) this.#begin(true);
  }

  #begin(isOffered: boolean): void {
    // Without a subject there is nothing to remove.
    if (this.#photo?.phase === 'FAILED') this.kind = 'keep';
    this.isOffered = isOffered;
    this.#undone = [];
    this.#look.tool = 'touch-up';
  }

  end(): void {
    this.movesPicture = false;
    if (this.#look.tool === 'touch-up') this.#look.tool = undefined;
  }

  swapKind(): void {
    this.kind = this.kind === 'keep' ? 'remove' : 'keep';
  }

  swapBrush(): void {
    this.seeksEdges = !this.seeksEdges;
  }

  nextView(): void {
    this.view = maskViews[(maskViews.indexOf(this.view) + 1) % maskViews.length] ?? 'cutout';
  }

  resize(steps: number): void {
    this.size = Math.min(largestSize, Math.max(0, this.size + steps));
  }

  harden(steps: number): void {
    this.seeksEdges = false;
    this.hardness = Math.min(100, Math.max(0, this.hardness + steps * hardnessStep));
  }

  changeEdge(changed: Partial<Edge>): void {
    const photo = this.#photo;
    if (photo === undefined) return;
    const before = this.#edge?.photo === photo ? this.#edge.changed : {};
    this.#edge = { photo, changed: { ...before, ...changed } };
  }

  /** Whether a stroke was begun: there is room for it, and it is on the photo. */
  begin(at: Place): boolean {
    const { kind, radius, whole, seeksEdges, hardness } = this;
    if (whole === undefined || this.isFull || !isOnPhoto(at, radius, whole)) return false;
    const stroke: Stroke = { kind, radius, ...(!seeksEdges && { hardness }), points: [at] };
    this.#paint([...this.strokes, stroke]);
    this.#undone = [];
    this.#isDrawn = true;
    return true;
  }

  leadTo(at: Place): void {
    const { strokes, whole, most } = this;
    if (this.#isDrawn && whole !== undefined) this.#paint(ledOn(strokes, at, whole, most));
  }

  /** The version before the last Apply is still there: undo goes back to it, with what was painted for it. */
  #before(): Applied | undefined {
    const applied = this.#applied.find(({ version }) => version === this.#photo);
    const isThere = applied !== undefined && this.#queue.photos.includes(applied.from);
    return isThere && !this.isRefining ? applied : undefined;
  }

  #goBack({ from, strokes }: Applied): void {
    this.#queue.follow(from, from, true);
    this.#undone = strokes.slice(-1);
    from.painted = strokes.slice(0, -1);
    this.#edge = undefined;
  }

  /** What is being refined is not taken back. */
  undo(): void {
    this.#isDrawn = false;
    const last = this.strokes.at(-1);
    const before = this.count === 0 ? this.#before() : undefined;
    if (before !== undefined) this.#goBack(before);
    if (last === undefined || this.count === 0 || before !== undefined) return;
    this.#undone = [last, ...this.#undone];
    this.#paint(this.strokes.slice(0, -1));
  }

  redo(): void {
    this.#isDrawn = false;
    const [next, ...others] = this.#undone;
    if (next === undefined || this.isFull) return;
    this.#undone = others;
    this.#paint([...this.strokes, next]);
  }

  clear(): void {
    this.#isDrawn = false;
    this.#undone = [];
    this.#edge = undefined;
    this.#paint(this.strokes.slice(0, this.strokes.length - this.count));
  }

  /** The edge is found at full size, beside what one goes on painting. */
  async apply(): Promise<void> {
    const photo = this.#photo;
    if (photo === undefined || !this.isOn || !this.isChanged || this.isRefining) return;
    const { strokes, edge } = this;
    this.#isDrawn = false;
    this.#undone = [];
    this.#refining = { from: photo, taskId: undefined, count: strokes.length };
    const taskId = await this.#queue.touchUp(photo, strokes, edge);
    this.#refining =
      taskId === undefined ? undefined : { from: photo, taskId, count: strokes.length };
  }

  /** To be called when the version that is awaited has ended: the tool goes on with it. */
  follow(version: Photo): void {
    const refining = this.#refining;
    if (refining === undefined) return;
    this.#refining = undefined;
    const { from, count } = refining;
    if (version.phase !== 'FINISHED') return;
    const left = from.painted.slice(count);
    this.#applied = [...this.#applied, { version, from, strokes: from.painted.slice(0, count) }];
    from.painted = [];
    version.painted = left;
    const isSeen = this.#photo === from;
    this.#queue.follow(from, version, isSeen);
    if (isSeen) this.#edge = undefined;
  }

  #paint(strokes: readonly Stroke[]): void {
    if (this.#photo !== undefined) this.#photo.painted = strokes;
  }
}
