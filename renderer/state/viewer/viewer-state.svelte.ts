/** View settings, the same for every photo. */
import {
  compareModes,
  type CompareMode,
  type PageLayout,
  type ListOrder,
} from '../../../packages/contract/src/settings/page.ts';
import type { Remembered } from '../options/remembered.svelte.ts';
import { staysOn, type BeforePress } from './before-press.ts';

/** Backdrop of a cut-out: the checkerboard, or a colour such as #ffffff. */
export type Backdrop = 'checker' | `#${string}`;

export class ViewerState {
  readonly #remembered: Remembered;
  /** The source alone is shown: while the key or the button is held, or from one click to the next. */
  holdsBefore = $state(false);
  #beforePress: BeforePress | undefined;
  /** Colours over the photo show where the network changed it. */
  showsChanges = $state(false);
  /** A click on the picture uses this tool, which tries the models on that place, or paints. */
  tool = $state<'try' | 'touch-up'>();

  constructor(remembered: Remembered) {
    this.#remembered = remembered;
  }

  pressBefore(fromMs: number): void {
    this.#beforePress = { fromMs, wasOn: this.holdsBefore };
    this.holdsBefore = true;
  }

  releaseBefore(atMs: number): void {
    if (this.#beforePress === undefined) return;
    this.holdsBefore = staysOn(this.#beforePress, atMs);
    this.#beforePress = undefined;
  }

  get isTrying(): boolean {
    return this.tool === 'try';
  }

  set isTrying(isTrying: boolean) {
    this.tool = isTrying ? 'try' : undefined;
  }

  /** Zoom and position stay from photo to photo. */
  get locksView(): boolean {
    return this.#remembered.page.locksView;
  }

  set locksView(locksView: boolean) {
    this.#remembered.change({ page: { locksView } });
  }

  get hasSingleKeys(): boolean {
    return this.#remembered.page.singleKeys;
  }

  get layout(): PageLayout {
    return this.#remembered.page.layout;
  }

  set layout(layout: PageLayout) {
    this.#remembered.change({ page: { layout } });
  }

  get tileSizePx(): number {
    return this.#remembered.page.tileSizePx;
  }

  set tileSizePx(tileSizePx: number) {
    this.#remembered.change({ page: { tileSizePx } });
  }

  get order(): ListOrder {
    return this.#remembered.page.order;
  }

  set order(order: ListOrder) {
    this.#remembered.change({ page: { order } });
  }

  get mode(): CompareMode {
    return this.#remembered.page.compare;
  }

  set mode(compare: CompareMode) {
    this.#remembered.change({ page: { compare } });
  }

  get ground(): Backdrop {
    const { ground } = this.#remembered.page;
    return ground !== 'checker' && isColour(ground) ? ground : 'checker';
  }

  set ground(ground: Backdrop) {
    this.#remembered.change({ page: { ground } });
  }

  get ownGround(): string {
    return this.#remembered.page.ownGround;
  }

  /** @param colour #rrggbb */
  pickGround(colour: string): void {
    if (isColour(colour)) this.#remembered.change({ page: { ground: colour, ownGround: colour } });
  }

  nextMode(): void {
    const at = compareModes.indexOf(this.mode);
    this.mode = compareModes[(at + 1) % compareModes.length] ?? 'slider';
  }
}

export function isColour(text: string): text is `#${string}` {
  return /^#[0-9a-f]{6}$/i.test(text);
}
