/** Keeps rows in their places while a person points at the list, so that a click takes the row that was aimed at. */

/** After this time without a move the pointer rests. */
const restMs = 3000;
/** Who presses so soon after rows moved aimed at those from before. */
const reactionMs = 500;

/** All versions of a photo, which are one row, have the same group. */
interface SteadyRow {
  readonly versions: object;
}

export interface HeldRows<Row extends SteadyRow> {
  /** What was listed, and in which order. Rows that were held for another view have no place. */
  view: string;
  rows: readonly Row['versions'][];
}

/**
 * Returns the rows at their held places, as far as they are there, and then those that came meanwhile. Rows that
 * `listed` has no longer are among them until they are released.
 *
 * @param rowOf finds the row of a photo; undefined once the photo is gone
 */
export function inHeldPlaces<Row extends SteadyRow>(
  listed: Row[],
  view: string,
  held: HeldRows<Row> | undefined,
  rowOf: (versions: Row['versions']) => Row | undefined,
): Row[] {
  if (held?.view !== view) return listed;
  const places = new Set(held.rows);
  return [
    ...held.rows.flatMap((versions) => rowOf(versions) ?? []),
    ...listed.filter(({ versions }) => !places.has(versions)),
  ];
}

export class SteadyRows<Row extends SteadyRow> {
  readonly #onChange: (held: HeldRows<Row> | undefined) => void;
  #held: HeldRows<Row> | undefined;
  #listed: HeldRows<Row> | undefined;
  /** The rows before they moved last while the pointer rested. */
  #former: HeldRows<Row> | undefined;
  #formerMs = 0;
  /** A menu over the rows stays for as long as it likes. */
  #hasMenu = false;
  #movedMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: (held: HeldRows<Row> | undefined) => void) {
    this.#onChange = onChange;
  }

  /** Must be called with what is listed now. */
  note(view: string, rows: readonly Row[]): void {
    const before = this.#listed;
    const now = rows.map(({ versions }) => versions);
    this.#listed = { view, rows: now };
    if (this.#held !== undefined || before?.view !== view) return;
    if (now.every((versions, at) => (before.rows[at] ?? versions) === versions)) return;
    this.#former = before;
    this.#formerMs = performance.now();
  }

  /** Must be called when the pointer moves over the rows or presses. */
  hold(view: string, rows: readonly Row[]): void {
    this.#movedMs = performance.now();
    if (this.#held?.view !== view)
      this.#change({ view, rows: rows.map(({ versions }) => versions) });
    this.#timer ??= setTimeout(() => this.#rest(), restMs);
  }

  /**
   * Must be called when the pointer presses, before `hold`. Brings back the rows that have just moved under it.
   *
   * @returns whether others are listed from now on
   */
  press(view: string): boolean {
    const former = this.#former;
    this.#former = undefined;
    const isAimed = former?.view === view && performance.now() - this.#formerMs < reactionMs;
    if (isAimed) this.#change(former);
    return isAimed;
  }

  #change(held: HeldRows<Row> | undefined): void {
    this.#held = held;
    this.#onChange(held);
  }

  set hasMenu(hasMenu: boolean) {
    this.#hasMenu = hasMenu;
    this.#movedMs = performance.now();
    if (!hasMenu && this.#held) this.#timer ??= setTimeout(() => this.#rest(), restMs);
  }

  /** Must be called when the pointer leaves the rows. */
  leave(): void {
    if (this.#held !== undefined && !this.#hasMenu) this.release();
  }

  /** Brings the order up to date, which is expected: a press is meant for the rows as they are then. */
  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#listed = this.#former = undefined;
    this.#change(undefined);
  }

  #rest(): void {
    this.#timer = undefined;
    if (this.#hasMenu) return;
    const leftMs = this.#movedMs + restMs - performance.now();
    if (leftMs > 0) this.#timer = setTimeout(() => this.#rest(), leftMs);
    else this.#change(undefined);
  }
}
