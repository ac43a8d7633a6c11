/** Watched folders: create, change, delete, run while enabled. */
import { randomUUID } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type {
  Watch,
  WatchBody,
  WatchPatch,
} from '../../../packages/contract/src/settings/watch.ts';
import { assertGrantedFolder } from '../../../packages/files/src/granted.ts';
import type { SeenFile, WatchRow } from '../store/watches.ts';
import { runWatch, type RunningOptions, type RunningWatch } from './running-watch.ts';
import { picturesIn } from './watch-folder.ts';
import { isGoneOrShut } from '../../../packages/files/src/pictures-below.ts';
import { assertNoLoop, pathInside } from './watch-rules.ts';

export interface Watches {
  /** Starts all enabled watches. */
  start(): void;
  list(): Watch[];
  /** @throws EnlargerError INVALID_REQUEST or FORBIDDEN_PATH */
  create(body: WatchBody): Promise<Watch>;
  /** @throws EnlargerError INVALID_REQUEST, FORBIDDEN_PATH or NOT_FOUND */
  change(id: string, patch: WatchPatch): Promise<Watch>;
  /** Deletes a watch; its tasks stay. @throws EnlargerError NOT_FOUND */
  remove(id: string): Promise<void>;
  /** Resolves when no watch submits any more. */
  close(): Promise<void>;
}

interface WatchesOptions extends Omit<RunningOptions, keyof WatchTimes> {
  wallMs(): number;
  times?: Partial<WatchTimes> | undefined;
}

export type WatchTimes = Pick<
  RunningOptions,
  'quietMs' | 'patienceMs' | 'checkEveryMs' | 'listEveryMs'
>;

const defaultTimes: WatchTimes = {
  quietMs: 3000,
  patienceMs: 120_000,
  checkEveryMs: 5000,
  listEveryMs: 600_000,
};

export function createWatches(options: WatchesOptions): Watches {
  const { store } = options;
  const table = store.watches;
  const running = new Map<string, RunningWatch>();
  const times = { ...defaultTimes, ...options.times };
  let isOpen = false;
  const view = (row: WatchRow) => watchView(row, running.get(row.id), table.counts(row.id));
  /** Serialised, so that two concurrent calls do not leave two runs of one watch. */
  let switching = Promise.resolve();
  const rerun = (id: string) => {
    switching = switching.then(async () => {
      await running.get(id)?.close();
      running.delete(id);
      const row = table.get(id);
      if (isOpen && row?.enabled === true) running.set(id, runWatch(row, { ...options, ...times }));
    });
    return switching;
  };
  const check = async (row: WatchRow, grantsOfSaving = row.grants): Promise<WatchRow> => {
    assertPreset(row.presetId, options);
    const { grantedFolders } = options.settings();
    const folder = await assertGrantedFolder(row.folder, [...grantedFolders, ...row.grants]);
    const saveTo = await assertGrantedFolder(row.saveTo, [...grantedFolders, ...grantsOfSaving]);
    const checked = { ...row, folder, saveTo };
    assertNoLoop(
      checked,
      table.list().filter(({ id }) => id !== row.id),
    );
    return checked;
  };
  return {
    start() {
      isOpen = true;
      for (const { id } of table.list()) void rerun(id);
    },
    list: () => table.list().map(view),
    async create({ existing = true, recursive = true, enabled = true, grants = [], ...body }) {
      const fresh = { id: randomUUID(), createdAt: options.wallMs() };
      const row = await check({ ...body, ...fresh, recursive, enabled, grants });
      // Listed before the response, so that files that arrive after it are new.
      const excluded = existing ? [] : await presentIn(row);
      store.transaction(() => {
        table.save(row);
        table.noteSeen(excluded);
      });
      await rerun(row.id);
      return view(row);
    },
    async change(id, patch) {
      const known = knownRow(table.get(id));
      const changed = { ...known, ...patch };
      const isMoved = patch.saveTo !== undefined || patch.recursive !== undefined;
      assertPreset(changed.presetId, options);
      // Whoever may not grant must not aim a watch at what was granted for another place.
      const grantsOfSaving = patch.saveTo === undefined ? changed.grants : (patch.grants ?? []);
      const row = isMoved ? await check(changed, grantsOfSaving) : changed;
      table.save(row);
      await rerun(row.id);
      return view(row);
    },
    async remove(id) {
      knownRow(table.get(id));
      table.remove(id);
      await rerun(id);
    },
    async close() {
      isOpen = false;
      await switching;
      await Promise.all([...running.values()].map((one) => one.close()));
    },
  };
}

/** Existing pictures, to be recorded as seen without a task. */
async function presentIn(row: WatchRow): Promise<SeenFile[]> {
  const { id: watchId, folder, presetId } = row;
  const present: SeenFile[] = [];
  for await (const file of picturesIn(row)) {
    const found = await lstat(file).catch((error: unknown) => {
      if (!isGoneOrShut(error)) throw error;
    });
    if (!found) continue;
    const [sizeBytes, modifiedMs] = [found.size, Math.floor(found.mtimeMs)];
    present.push({ watchId, path: pathInside(folder, file), sizeBytes, modifiedMs, presetId });
  }
  return present;
}

function assertPreset(presetId: string, { store }: WatchesOptions): void {
  if (store.presets.get(presetId)) return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected presetId to be the id of a preset but received ${JSON.stringify(presetId)}.`,
  );
}

function knownRow(row: WatchRow | undefined): WatchRow {
  if (row) return row;
  throw new EnlargerError('NOT_FOUND', 'There is no watched folder with this id.');
}

function watchView(
  { id, folder, presetId, saveTo, recursive, enabled, createdAt }: WatchRow,
  run: RunningWatch | undefined,
  counts: Watch['counts'],
): Watch {
  const message = run?.message;
  return {
    id,
    folder,
    presetId,
    saveTo,
    recursive,
    enabled,
    createdAt: new Date(createdAt).toISOString(),
    state: run?.state ?? 'paused',
    ...(message !== undefined && { message }),
    counts,
  };
}
