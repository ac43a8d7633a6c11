/** Moving rows within the list. Only rows that wait move, and only among those of their own phase. */

interface Movable {
  readonly id: string;
  readonly phase: string;
}

const movablePhases = ['ready', 'PENDING'];

export function canMove({ phase }: Movable): boolean {
  return movablePhases.includes(phase);
}

/** `moved` stand before `before`, in their order; at the end when it is undefined. */
export function movedBefore<Row>(
  rows: readonly Row[],
  moved: readonly Row[],
  before: Row | undefined,
): Row[] {
  const set = new Set(moved);
  const rest = rows.filter((row) => !set.has(row));
  const at = before === undefined ? rest.length : rest.indexOf(before);
  return [...rest.slice(0, at), ...rows.filter((row) => set.has(row)), ...rest.slice(at)];
}

/** Where a block of rows goes by one step: before which row, or 'last'. Undefined: it is at its end. */
export function stepTarget<Row extends Movable>(
  rows: readonly Row[],
  moved: readonly Row[],
  step: -1 | 1,
): Row | 'last' | undefined {
  const phase = moved[0]?.phase;
  const peers = rows.filter((row) => row.phase === phase);
  const places = moved.map((row) => peers.indexOf(row));
  if (places.length === 0 || places.some((place) => place < 0)) return undefined;
  if (step < 0) return peers[Math.min(...places) - 1];
  const last = Math.max(...places);
  if (last === peers.length - 1) return undefined;
  return peers[last + 2] ?? 'last';
}
