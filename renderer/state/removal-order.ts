/** Rows that go, and come back to where they were. */

export interface Removal<Row> {
  photos: readonly Row[];
  /** The list as it was, for their places. */
  order: readonly Row[];
  /** Ends when the service has removed them all, or refused. */
  ended: Promise<unknown>;
}

export type Removed<Row> = Omit<Removal<Row>, 'ended'>;

export function withoutRows<Row>(rows: readonly Row[], gone: readonly Row[]): Row[] {
  const set = new Set(gone);
  return rows.filter((row) => !set.has(row));
}

/** Without those of `gone` and without others that stand for the same tasks. */
export function withoutTasks<Row extends { taskId: string | undefined }>(
  rows: readonly Row[],
  gone: readonly Row[],
): Row[] {
  const tasks = new Set(gone.map(({ taskId }) => taskId));
  return rows.filter(({ taskId }) => taskId === undefined || !tasks.has(taskId));
}

/** The list with `back` at the places that they had in `order`, as far as their neighbours are there. */
export function broughtBack<Row>(
  rows: readonly Row[],
  { photos, order }: Removed<Row>,
  back: readonly Row[] = photos,
): Row[] {
  const places = new Map(order.map((photo, index) => [photo, index]));
  const present = new Set(rows);
  const missing = back.filter((photo) => !present.has(photo));
  const result = [...rows];
  for (const photo of missing) {
    const place = places.get(photo) ?? result.length;
    const at = result.findIndex((other) => (places.get(other) ?? -1) > place);
    result.splice(at < 0 ? result.length : at, 0, photo);
  }
  return result;
}
