/** Finished results into folders, and what a person has taken. */
import type { SaveBody, Saved } from '../contract/picture.ts';
import type { Transport } from './transport.ts';

export type SavingCalls = ReturnType<typeof createSavingCalls>;

export function createSavingCalls({ ask, send }: Transport) {
  return {
    save: (taskId: string, body: SaveBody) => ask<Saved>('POST', `/api/task/${taskId}/save`, body),
    /** It is not unsaved any more. */
    taken: (taskId: string) => send('POST', `/api/task/${taskId}/taken`),
  };
}
