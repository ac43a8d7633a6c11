/** Reports tasks that another command or the window left waiting, and that go on with a service of this command. */
import type { Client } from '../../api-client/src/client.ts';
import { tn } from './text.ts';

/**
 * Writes how many tasks go on to standard error.
 *
 * @param ownIds tasks of this command, which are not counted
 */
export async function reportWaiting(client: Client, ownIds: readonly string[] = []): Promise<void> {
  const { counts, paused } = await client.list(1);
  const waiting = counts.PENDING + counts.PROCESSING;
  if (waiting === 0 || paused) return;
  const records = await Promise.all(
    ownIds.map((taskId) => client.record(taskId).catch(() => undefined)),
  );
  const own = records.filter((record) => /PENDING|PROCESSING/.test(record?.status ?? ''));
  const others = waiting - own.length;
  if (others > 0)
    console.error(
      tn(
        others,
        '{count} picture that waited before goes on now, too; `enlarger tasks` lists it.',
        '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.',
      ),
    );
}
