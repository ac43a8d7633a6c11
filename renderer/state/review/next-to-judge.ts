/** Finds where looking through results goes on. It is pure. */
interface Judged {
  readonly id: string;
  readonly phase: string;
}

/** The next listed result without a mark, after the last one from the top; undefined where all others have one. */
export function nextToJudge<Listed extends Judged>(
  shown: readonly Listed[],
  { id }: Pick<Judged, 'id'>,
  markOf: (photo: Listed) => unknown,
): Listed | undefined {
  const at = shown.findIndex((photo) => photo.id === id);
  return [...shown.slice(at + 1), ...shown.slice(0, Math.max(0, at))].find(
    (photo) => photo.phase === 'FINISHED' && markOf(photo) === undefined,
  );
}
