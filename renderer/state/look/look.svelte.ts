/** How pictures are looked at: the same for every photo. */
import {
  compareModes,
  type CompareMode,
  type Layout,
  type ListOrder,
} from '../../../electron/contract/page.ts';
import type { Remembered } from '../settings/remembered.svelte.ts';

/** What lies behind a cut-out: a pattern, or a colour such as #ffffff. */
export type Ground = 'checker' | `#${string}`;

export class Look {
  readonly #remembered: Remembered;
  /** While the key or the button is held, the source alone is shown. */
  holdsBefore = $state(false);
  /** Where the network changed the photo lies over it. */
  showsChanges = $state(false);
  /** What a click on the picture does: it tries the models on that place, or paints. One at a time. */
  tool = $state<'try' | 'touch-up'>();

  constructor(remembered: Remembered) {
    this.#remembered = remembered;
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

  get layout(): Layout {
    return this.#remembered.page.layout;
  }

  set layout(layout: Layout) {
    this.#remembered.change({ page: { layout } });
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

  get ground(): Ground {
    const { ground } = this.#remembered.page;
    return ground !== 'checker' && isColour(ground) ? ground : 'checker';
  }

  set ground(ground: Ground) {
    this.#remembered.change({ page: { ground } });
  }

  get ownGround(): string {
    return this.#remembered.page.ownGround;
  }

  /** Any colour, as a colour field gives it: #rrggbb. */
  pickGround(colour: string): void {
    if (isColour(colour)) this.#remembered.change({ page: { ground: colour, ownGround: colour } });
  }

  nextMode(): void {
    const at = compareModes.indexOf(this.mode);
    this.mode = compareModes[(at + 1) % compareModes.length] ?? 'slider';
  }
}

function isColour(text: string): text is `#${string}` {
  return /^#[0-9a-f]{6}$/i.test(text);
}
