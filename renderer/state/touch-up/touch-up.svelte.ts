/**
 * Holds the brush, and what it painted over the selected photo. Strokes stay with their photo until they are
 * applied or cleared. Applying makes a version of the photo with them, and the tool goes on with that
 * version.
 */
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import type { Stroke, StrokeKind } from '../../../packages/contract/src/options/strokes.ts';
import { isColour, type Backdrop, type ViewerState } from '../viewer/viewer-state.svelte.ts';
import type { Photo, PixelSize } from '../photo/photo.svelte.ts';
import type { Queue } from '../queue/queue.svelte.ts';
import { adjustmentsOf, areaNames, edgeNames, type Adjustments } from './adjustments.ts';
import { overlayColours, type OverlayColour } from './overlay-colour.ts';
import {
  brushWidthPx,
  clickOf,
  isEmptyBox,
  isOnPhoto,
  isUnmoved,
  largestSize,
  ledOn,
  maxStrokes,
  radiusOf,
  defaultSize,
  type Place,
} from './strokes.ts';
import { operationOf, touchUpObstacle } from '../photo/touchable.ts';

/** A mask is shown by what it makes of the photo, as the mask alone, or as the removed part under stripes. */
const maskViews = ['cutout', 'mask', 'overlay'] as const;
export type MaskView = (typeof maskViews)[number];

const hardnessStep = 10;
/** A soft brush leaves no edge between the model's result and the plain enlargement. */
const defaultAreaHardness = 50;

/** The strokes or adjustments of this photo were sent, and are becoming a version. */
interface Refining {
  from: Photo;
  taskId: string | undefined;
  /** Number of strokes that were sent. */
  count: number;
}

/** A version was made by these strokes over another version. */
interface AppliedStrokes {
  version: Photo;
  from: Photo;
  strokes: readonly Stroke[];
  /** That version was accepted, and this one is in its place. */
  hasMark: boolean;
}

const isAccepted = ({ record }: Photo) => record?.mark === 'accepted';

type UsedQueue = Pick<
  Queue,
  'selected' | 'photos' | 'isPaused' | 'touchUp' | 'follow' | 'acceptAlone'
>;

export class TouchUp {
  kind = $state<StrokeKind>('keep');
  /** The size of the brush goes from 0 to largestSize. */
  size = $state(defaultSize);
  #seeksEdges = $state(true);
  #drawsBoxes = $state(false);
  /** Hardness on a cut-out's mask and on an enlargement, in percent. */
  #maskHardness = $state(100);
  #areaHardness = $state(defaultAreaHardness);
  view = $state<MaskView>('cutout');
  /** The overlay's colour that is told apart from the photo's own, and the one that a person took instead. */
  distinctColour = $state<OverlayColour>('red');
  #chosenColour = $state<OverlayColour>();
  /** Dragging moves the picture, because a key is held. */
  movesPicture = $state(false);
  /** A photo, and not a person, took up the brush, so that the keys stay with the list. */
  isOffered = $state(false);
  readonly #queue: UsedQueue;
  readonly #viewer: Pick<ViewerState, 'tool'>;
  /** The model selects objects by clicks; else a click paints a dab of the brush. */
  takesClicks = $state(true);
  /** The service looks for what a click or box selects. */
  isFinding = $state(false);
  /** The last click selected nothing and was taken back. */
  missed = $state<StrokeKind>();
  /** A version that was just made here. */
  applied = $state.raw<Photo>();
  /** A version that was accepted in the place of another one, which a message says. */
  successor = $state.raw<Pick<AppliedStrokes, 'version' | 'from'>>();
  /** A stroke is being painted. */
  isPainting = $state(false);
  /** The last stroke may be led on, because it was not taken back meanwhile. */
  #isDrawn = false;
  /** Undone strokes, the last one first. */
  #undone = $state.raw<readonly Stroke[]>([]);
  #adjusting = $state.raw<{ photo: Photo; changed: Partial<Adjustments> }>();
  /** At most one of each photo. */
  #refinings = $state.raw<readonly Refining[]>([]);
  /** Versions made here, with what they were made from. */
  #appliedStrokes = $state.raw<readonly AppliedStrokes[]>([]);

  readonly #photo = $derived.by(() => this.#queue.selected);
  /** The whole upright source has this size, in pixels; it is undefined until it is known. */
  readonly whole: PixelSize | undefined = $derived.by(
    () => this.#photo?.record?.input ?? this.#photo?.sourceSize,
  );
  /** Name of the text why the selected photo cannot be touched up. */
  readonly obstacle = $derived.by(() => touchUpObstacle(this.#photo));
  readonly isOn = $derived.by(
    () => this.#viewer.tool === 'touch-up' && this.obstacle === undefined,
  );
  /** The colour that is chosen behind the selected cut-out; undefined where that is no single colour. */
  readonly ground: Backdrop | undefined = $derived.by(() => {
    const { background = '', backgroundImage } =
      this.#photo?.versions.draft ?? this.#photo?.choices ?? {};
    return backgroundImage === '' && isColour(background) ? background : undefined;
  });
  /** Strokes that are not part of the shown result. */
  readonly strokes = $derived.by(() => this.#photo?.painted ?? []);
  /** The strokes but one that is only begun and may become a click, which paints no dab. */
  readonly visibleStrokes = $derived.by(() => {
    const last = this.strokes.at(-1);
    const isOpen = this.isPainting && this.takesClicks && last !== undefined && isUnmoved(last);
    return isOpen ? this.strokes.slice(0, -1) : this.strokes;
  });
  /** Max strokes beside those that the photo's task was given. */
  readonly most = $derived.by(() => maxStrokes - (this.#photo?.strokes.length ?? 0));
  readonly isFull = $derived(this.strokes.length >= this.most);
  readonly radius = $derived(radiusOf(this.size));
  /** The brush has this width, in pixels of the source. */
  readonly widthPx = $derived(this.whole && brushWidthPx(this.radius, this.whole));
  /** The brush paints where an enlargement uses the model, and not the mask of a cut-out. */
  readonly paintsArea = $derived.by(() => operationOf(this.#photo) === 'upscale');
  readonly #applied: Adjustments = $derived.by(() =>
    adjustmentsOf(this.#photo?.record?.options ?? {}),
  );
  readonly adjusted: Adjustments = $derived({
    ...this.#applied,
    ...(this.#adjusting?.photo === this.#photo ? this.#adjusting?.changed : {}),
  });
  /** All strokes of the version that Apply would make. */
  readonly allStrokes = $derived.by(() => [...(this.#photo?.strokes ?? []), ...this.strokes]);
  /** A stroke can be undone that is not being refined or, with none left, what was applied before. */
  readonly canUndo = $derived.by(() => this.count > 0 || this.#before() !== undefined);
  readonly canRedo = $derived(this.#undone.length > 0);
  /** Of the selected photo. */
  readonly #refining = $derived(this.#refinings.find(({ from }) => from === this.#photo));
  readonly isRefining = $derived(this.#refining !== undefined);
  /** Number of strokes that were painted since the last ones were sent. */
  readonly count = $derived(this.strokes.length - (this.#refining?.count ?? 0));
  readonly #isAdjusted = $derived(
    [...edgeNames, ...areaNames].some((name) => this.adjusted[name] !== this.#applied[name]),
  );
  readonly isChanged = $derived(this.count > 0 || this.#isAdjusted);
  /** An area that is only painted needs a stroke. */
  readonly isComplete = $derived(
    !this.paintsArea || this.adjusted.amountMask !== 'painted' || this.allStrokes.length > 0,
  );
  /** What the stage says of the photo while the tool is away: strokes were applied to it, or still wait for that. */
  readonly note = $derived.by(() => {
    if (this.isOn || this.#photo === undefined) return undefined;
    if (this.isRefining) return 'applying' as const;
    if (this.count > 0) return 'left' as const;
    return this.applied === this.#photo ? ('applied' as const) : undefined;
  });
  /** The version of the selected photo that is being made; undefined before it is listed and when there is none. */
  readonly awaited = $derived.by(() => this.#versionOf(this.#refining));
  /** Versions that have ended, with which `follow` goes on. */
  readonly ended = $derived.by(() =>
    this.#refinings.flatMap((each) => {
      const version = this.#versionOf(each);
      return version?.isEnded ? [version] : [];
    }),
  );

  /** What the version that is being made waits for: a running photo, or the queue as a whole; undefined: it runs. */
  readonly waitsFor: Photo | 'queue' | undefined = $derived.by(() => {
    if (this.awaited?.phase !== 'PENDING') return undefined;
    const running = this.#queue.photos.find(({ phase }) => phase === 'PROCESSING');
    return this.#queue.isPaused ? 'queue' : (running ?? 'queue');
  });

  constructor(queue: UsedQueue, viewer: Pick<ViewerState, 'tool'>) {
    this.#queue = queue;
    this.#viewer = viewer;
  }

  #versionOf(refining: Refining | undefined): Photo | undefined {
    const taskId = refining?.taskId;
    return taskId === undefined
      ? undefined
      : this.#queue.photos.find((photo) => photo.taskId === taskId);
  }

  /** A stroke takes what is like its middle and stops at edges, instead of taking all that it covers. */
  get seeksEdges(): boolean {
    return this.#seeksEdges && !this.paintsArea;
  }

  set seeksEdges(seeksEdges: boolean) {
    this.#seeksEdges = seeksEdges;
  }

  /** Dragging draws a box around an object instead of a stroke. */
  get drawsBoxes(): boolean {
    return this.#drawsBoxes && !this.paintsArea;
  }

  set drawsBoxes(drawsBoxes: boolean) {
    this.#drawsBoxes = drawsBoxes;
  }

  /** Hardness, in percent, of a brush that does not seek edges. */
  get hardness(): number {
    return this.paintsArea ? this.#areaHardness : this.#maskHardness;
  }

  set hardness(hardness: number) {
    if (this.paintsArea) this.#areaHardness = hardness;
    else this.#maskHardness = hardness;
  }

  get overlay(): OverlayColour {
    return this.#chosenColour ?? this.distinctColour;
  }

  nextOverlay(): void {
    const at = overlayColours.indexOf(this.overlay);
    this.#chosenColour = overlayColours[(at + 1) % overlayColours.length];
  }

  toggle(): void {
    if (this.isOn) this.end();
    else if (this.obstacle === undefined) this.#begin(false);
  }

  /** Takes up the brush for a photo without a subject, which is painted on at once. */
  offer(): void {
    if (!this.isOn && this.obstacle === undefined) this.#begin(true);
  }

  #begin(isOffered: boolean): void {
    // Without a subject there is nothing to remove, and only the photo shows what to keep.
    if (this.#photo?.phase === 'FAILED') {
      this.kind = 'keep';
      this.view = 'overlay';
    } else if (this.paintsArea) {
      // Where the model is used everywhere, or nowhere, only one kind changes anything.
      this.kind = this.#applied.amountMask === 'painted' ? 'keep' : 'remove';
    } else {
      // What was taken for another photo says nothing of this one, unless strokes of its own wait.
      this.kind = this.strokes.at(-1)?.kind ?? 'keep';
      if (this.strokes.length === 0) this.drawsBoxes = false;
    }
    this.isOffered = isOffered;
    this.applied = undefined;
    this.missed = undefined;
    this.#undone = [];
    this.#viewer.tool = 'touch-up';
  }

  /** Paints a dab by a key; the first press of a box sets one corner, and the second the other one. */
  press(at: Place): void {
    if (this.isPainting) this.lift();
    else if (this.begin(at) && !this.drawsBoxes) this.isPainting = false;
  }

  end(): void {
    this.movesPicture = false;
    this.lift();
    if (this.#viewer.tool === 'touch-up') this.#viewer.tool = undefined;
  }

  swapKind(): void {
    this.kind = this.kind === 'keep' ? 'remove' : 'keep';
  }

  swapBrush(): void {
    if (!this.paintsArea) this.seeksEdges = !this.seeksEdges;
  }

  nextView(): void {
    this.view = maskViews[(maskViews.indexOf(this.view) + 1) % maskViews.length] ?? 'cutout';
  }

  resize(steps: number): void {
    this.size = Math.min(largestSize, Math.max(0, this.size + steps));
  }

  harden(steps: number): void {
    if (!this.paintsArea) this.seeksEdges = false;
    this.hardness = Math.min(100, Math.max(0, this.hardness + steps * hardnessStep));
  }

  adjust(changed: Partial<Adjustments>): void {
    const photo = this.#photo;
    if (photo === undefined) return;
    const before = this.#adjusting?.photo === photo ? this.#adjusting.changed : {};
    this.#adjusting = { photo, changed: { ...before, ...changed } };
    const { amountMask } = changed;
    if (amountMask === 'everywhere' || amountMask === 'painted')
      this.kind = amountMask === 'painted' ? 'keep' : 'remove';
  }

  /**
   * Begins a stroke, or a box, if the photo takes one more. A stroke begins on the photo, a box also beside it.
   *
   * @returns whether it began
   */
  begin(at: Place): boolean {
    const { kind, radius, whole, seeksEdges, hardness, drawsBoxes } = this;
    if (whole === undefined || this.isFull) return false;
    if (!drawsBoxes && !isOnPhoto(at, radius, whole)) return false;
    const stroke: Stroke = drawsBoxes
      ? { kind, radius, selects: 'box', points: [at, at] }
      : { kind, radius, ...(!seeksEdges && { hardness }), points: [at] };
    this.#paint([...this.strokes, stroke]);
    this.#undone = [];
    this.missed = undefined;
    this.#isDrawn = true;
    this.isPainting = true;
    return true;
  }

  leadTo(at: Place): void {
    const { strokes, whole, most } = this;
    if (this.#isDrawn && whole !== undefined) this.#paint(ledOn(strokes, at, whole, most));
  }

  /** Ends the stroke that is being painted. One that was not led anywhere is a click, which selects an object. */
  lift(): void {
    const last = this.strokes.at(-1);
    if (this.isPainting && last && isEmptyBox(last)) this.#paint(this.strokes.slice(0, -1));
    const isClick = this.isPainting && this.takesClicks && last !== undefined && isUnmoved(last);
    if (isClick) this.#paint([...this.strokes.slice(0, -1), clickOf(last)]);
    this.isPainting = false;
  }

  /** Takes back clicks that selected nothing, which the panel says. */
  drop(clicks: readonly Stroke[]): void {
    const [click] = clicks;
    if (click === undefined || !this.strokes.includes(click)) return;
    this.#isDrawn = false;
    this.missed = click.kind;
    this.#paint(this.strokes.filter((stroke) => !clicks.includes(stroke)));
  }

  /** Finds the version before the last Apply if it is still there. Undo goes back to it, with its strokes. */
  #before(): AppliedStrokes | undefined {
    const applied = this.#appliedStrokes.find(({ version }) => version === this.#photo);
    const isThere = applied !== undefined && this.#queue.photos.includes(applied.from);
    return isThere && !this.isRefining ? applied : undefined;
  }

  #goBack({ version, from, strokes, hasMark }: AppliedStrokes): void {
    this.successor = undefined;
    if (hasMark && isAccepted(version)) void this.#queue.acceptAlone(from);
    this.#queue.follow(from, from, true);
    this.#undone = strokes.slice(-1);
    from.painted = strokes.slice(0, -1);
    this.#adjusting = undefined;
  }

  /** Accepts the version again that was accepted before the one that was made of it. */
  giveBack(): void {
    const { from } = this.successor ?? {};
    this.successor = undefined;
    if (from !== undefined) void this.#queue.acceptAlone(from);
  }

  /** Takes the last stroke back, but none that is being refined. */
  undo(): void {
    this.#isDrawn = false;
    this.missed = undefined;
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
    this.missed = undefined;
    this.#undone = [];
    this.#adjusting = undefined;
    this.#paint(this.strokes.slice(0, this.strokes.length - this.count));
  }

  /** Submits a version with the strokes and adjustments; meanwhile a person may go on painting. */
  async apply(): Promise<void> {
    const photo = this.#photo;
    const isApplicable = this.isOn && this.isChanged && this.isComplete && !this.isRefining;
    if (photo === undefined || !isApplicable) return;
    const { strokes } = this;
    const adjusted = this.paintsArea
      ? pickDefined(this.adjusted, areaNames)
      : pickDefined(this.adjusted, edgeNames);
    this.#isDrawn = false;
    this.#undone = [];
    this.missed = undefined;
    const sent = { from: photo, taskId: undefined, count: strokes.length };
    this.#refinings = [...this.#refinings, sent];
    const taskId = await this.#queue.touchUp(photo, strokes, adjusted);
    const others = this.#refinings.filter((each) => each !== sent);
    this.#refinings = taskId === undefined ? others : [...others, { ...sent, taskId }];
  }

  /** Applies what was changed, or ends where nothing was. */
  finish(): void {
    if (this.isChanged) void this.apply();
    else this.end();
  }

  /**
   * Goes on with a version that was made here, and must be called when it has ended. The tool ends with it, unless
   * more was painted meanwhile.
   */
  follow(version: Photo): void {
    const refining = this.#refinings.find(({ taskId }) => taskId === version.taskId);
    if (refining === undefined) return;
    this.#refinings = this.#refinings.filter((each) => each !== refining);
    const { from, count } = refining;
    if (version.phase !== 'FINISHED') return;
    const left = from.painted.slice(count);
    const hasMark = isAccepted(from);
    const applied = { version, from, strokes: from.painted.slice(0, count), hasMark };
    this.#appliedStrokes = [...this.#appliedStrokes, applied];
    if (hasMark) {
      this.successor = applied;
      void this.#queue.acceptAlone(version);
    }
    from.painted = [];
    version.painted = left;
    const isSeen = this.#photo === from;
    this.#queue.follow(from, version, isSeen);
    if (!isSeen) return;
    this.#adjusting = undefined;
    if (this.isPainting || left.length > 0) return;
    this.end();
    this.applied = version;
  }

  #paint(strokes: readonly Stroke[]): void {
    if (this.#photo !== undefined) this.#photo.painted = strokes;
  }
}
