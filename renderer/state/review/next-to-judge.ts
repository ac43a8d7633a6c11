/** Finds where looking through results goes on. It is pure. */
import type { Mark } from '../../../electron/contract/task.ts';

interface Judged {
  readonly id: string;
  readonly phase: string;
  readonly record?: { readonly mark?: Mark } | undefined;
}

/** The next listed result without a mark, after the last one from the top; undefined where all others have one. */
export function nextToJudge<Listed extends Judged>(
  shown: readonly Listed[],
  { id }: Pick<Judged, 'id'>,
): Listed | undefined {
  const at = shown.findIndex((photo) => photo.id === id);
  return [...shown.slice(at + 1), ...shown.slice(0, Math.max(0, at))].find(
    ({ phase, record }) => phase === 'FINISHED' && record?.mark === undefined,
  );
}
