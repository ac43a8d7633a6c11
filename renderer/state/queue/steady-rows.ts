/** Keeps rows in their places while a person points at the list, so that a click takes the row that was aimed at. */

/** After this time without a move the pointer rests. */
const restMs = 3000;

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
  /** A menu over the rows stays for as long as it likes. */
  #hasMenu = false;
  #movedMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: (held: HeldRows<Row> | undefined) => void) {
    this.#onChange = onChange;
  }

  /** Must be called when the pointer moves over the rows, or presses. */
  hold(view: string, rows: readonly Row[]): void {
    this.#movedMs = performance.now();
    if (this.#held?.view !== view)
      this.#change({ view, rows: rows.map(({ versions }) => versions) });
    this.#timer ??= setTimeout(() => this.#rest(), restMs);
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
    if (!this.#hasMenu) this.release();
  }

  /** Brings the order up to date. */
  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#change(undefined);
  }

  #rest(): void {
    this.#timer = undefined;
    if (this.#hasMenu) return;
    const leftMs = this.#movedMs + restMs - performance.now();
    if (leftMs > 0) this.#timer = setTimeout(() => this.#rest(), leftMs);
    else this.release();
  }
}
