/** Decides which rows are chosen by a click, a click with shift and one with ctrl, as lists everywhere do. */

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Keys move from this row, which the stage shows. */
  readonly focusId: string | undefined;
  /** A range begins at this row. */
  readonly anchorId: string | undefined;
  /** The rows were chosen by being added, or were started together; a person who judges them means the shown one. */
  readonly isBatch?: boolean;
  /** Several rows that a person chose, of which the list has none any more; they are chosen again once it has one. */
  readonly unlisted?: Selection;
}

export const nothing: Selection = { ids: new Set(), focusId: undefined, anchorId: undefined };

export function selectOnly(id: string): Selection {
  return { ids: new Set([id]), focusId: id, anchorId: id };
}

/** Chooses all of `ids`, the first of them on the stage unless `focusId` says otherwise. */
export function selectAll(ids: readonly string[], focusId = ids[0]): Selection {
  return { ids: new Set(ids), focusId, anchorId: focusId };
}

/** Notes that the chosen rows are a batch, until others are chosen. */
export function asBatch(selection: Selection): Selection {
  return { ...selection, isBatch: true };
}

/** Moves only the row from which keys move. */
export function focusOn(selection: Selection, id: string): Selection {
  return { ...selection, focusId: id };
}

/** Goes on to the first row of a batch that has a picture, while nobody chose which of its rows the stage shows. */
export function passOver(selection: Selection, withoutPicture: readonly string[]): Selection {
  const { ids, focusId, anchorId, isBatch } = selection;
  const isChosen = isBatch !== true || focusId !== anchorId;
  if (isChosen || focusId === undefined || !withoutPicture.includes(focusId)) return selection;
  const next = [...ids].find((id) => !withoutPicture.includes(id));
  return next === undefined ? selection : { ...selection, focusId: next, anchorId: next };
}

/** Moves the focus to what is listed: to a chosen row, else to the first one, which is then chosen alone. */
export function focusListed(selection: Selection, shown: readonly string[]): Selection {
  const { ids, focusId, unlisted } = selection;
  if (unlisted && shown.some((id) => unlisted.ids.has(id))) return focusListed(unlisted, shown);
  if (focusId === undefined || shown.includes(focusId)) return selection;
  const chosen = shown.find((id) => ids.has(id));
  if (chosen !== undefined) return focusOn(selection, chosen);
  if (shown[0] === undefined) return selection;
  const isByHand = ids.size > 1 && !selection.isBatch;
  const several = isByHand ? selection : unlisted;
  return { ...selectOnly(shown[0]), ...(several && { unlisted: several }) };
}

/** Adds a row to what a person chose, or takes it out. */
export function toggle({ ids: listed, unlisted }: Selection, id: string): Selection {
  const ids = new Set(unlisted?.ids ?? listed);
  if (!ids.delete(id)) ids.add(id);
  return { ids, focusId: id, anchorId: id };
}

/** Chooses the rows from the anchor to `id` in the order of `shown`; the anchor stays. */
export function extendTo(selection: Selection, shown: readonly string[], id: string): Selection {
  const anchorId = selection.anchorId ?? selection.focusId ?? id;
  const from = shown.indexOf(anchorId);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return selectOnly(id);
  const ids = new Set(shown.slice(Math.min(from, to), Math.max(from, to) + 1));
  return { ids, focusId: id, anchorId };
}

/** Leaves out rows that are gone. The focus of such a row goes to the neighbour of `shown` that is left. */
export function without(
  selection: Selection,
  shown: readonly string[],
  removed: readonly string[],
): Selection {
  const gone = new Set(removed);
  const ids = new Set([...selection.ids].filter((id) => !gone.has(id)));
  const { focusId } = selection;
  if (focusId === undefined || !gone.has(focusId)) return { ...selection, ids };
  const at = shown.indexOf(focusId);
  const next =
    shown.slice(at).find((id) => !gone.has(id)) ??
    shown.slice(0, Math.max(0, at)).findLast((id) => !gone.has(id));
  if (next === undefined) return nothing;
  if (ids.size === 0) return selectOnly(next);
  return { ...selection, ids, focusId: next, anchorId: next };
}
