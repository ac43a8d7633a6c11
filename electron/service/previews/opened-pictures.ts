/**
 * Decoded sources, kept briefly so that a preview's crop can move quickly. Rasters are in the scratch folder;
 * the least recently used is deleted first.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineHost } from '../../engine/host/host.ts';
import type { OpenedPicture } from '../../engine/protocol/messages.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import { fetchForInspection, limitsOf, type LocalSourceOptions } from '../sources/local-source.ts';

interface OpenedPictures {
  /**
   * Decodes the source unless open, and calls `use`; the raster exists until `use` ends. Throws what decoding
   * and `use` throw.
   */
  with<T>(source: TaskSource, use: (picture: OpenedPicture) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface OpenEntry {
  folder: string;
  picture: Promise<OpenedPicture>;
  users: number;
  idleTimer?: NodeJS.Timeout;
}

/** Each raster takes 3 to 8 bytes per pixel. */
const maxOpenPictures = 2;
const idleMs = 120_000;
/** Enough to decode 400 megapixels. */
const openLimitMs = 300_000;

export function createOpenedPictures(
  options: LocalSourceOptions & { engine: Pick<EngineHost, 'work'> },
): OpenedPictures {
  const open = new Map<string, OpenEntry>();
  const forget = async (key: string, opened: OpenEntry) => {
    clearTimeout(opened.idleTimer);
    if (open.get(key) === opened) open.delete(key);
    await opened.picture.catch(() => undefined);
    await rm(opened.folder, { recursive: true, force: true });
  };
  const make = (source: TaskSource): OpenEntry => {
    const folder = join(options.scratchDir, `open-${randomUUID()}`);
    return { folder, picture: decodeInto(folder, source, options), users: 0 };
  };
  const evictIdle = async () => {
    const idle = [...open].filter(([, { users }]) => users === 0);
    for (const [key, opened] of idle.slice(0, Math.max(0, open.size - maxOpenPictures + 1)))
      await forget(key, opened);
  };
  return {
    async with(source, use) {
      const key = await keyOf(source);
      const known = open.get(key);
      if (!known) await evictIdle();
      const opened = open.get(key) ?? make(source);
      open.delete(key);
      open.set(key, opened);
      clearTimeout(opened.idleTimer);
      opened.users += 1;
      try {
        return await use(await opened.picture);
      } catch (error) {
        // The raster may be unreadable: the next preview decodes again.
        if (open.get(key) === opened) open.delete(key);
        opened.idleTimer = setTimeout(() => void forget(key, opened), 0);
        throw error;
      } finally {
        opened.users -= 1;
        if (opened.users === 0 && open.get(key) === opened)
          opened.idleTimer = setTimeout(() => void forget(key, opened), idleMs).unref();
      }
    },
    async close() {
      const all = [...open.values()];
      open.clear();
      for (const { folder, idleTimer } of all) {
        clearTimeout(idleTimer);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function decodeInto(
  folder: string,
  source: TaskSource,
  options: LocalSourceOptions & { engine: Pick<EngineHost, 'work'> },
): Promise<OpenedPicture> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sourcePath = await fetchForInspection(source, folder, options);
  const limits = limitsOf(options.settings());
  return options.engine.work('open', { sourcePath, scratchDir: folder, limits }, openLimitMs);
}

/** Changes with the contents: a rewritten file has another key, and each data: source a new one. */
async function keyOf(source: TaskSource): Promise<string> {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'upload') return source.path;
  const found = await stat(source.path).catch(() => undefined);
  const about = [source.path, found?.size, found?.mtimeMs].join('\n');
  return createHash('sha256').update(about).digest('hex');
}
