/**
 * What a person looks at of a task: thumbnail and tiles of its source, tiles of its result. A job leaves them
 * behind (engine/views/views.ts); what it did not leave, or not yet, is made when it is wanted, while its picture
 * is there. All of it lies in the task's result folder and goes with it.
 */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { PictureSide } from '../../contract/picture.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { EngineHost } from '../../engine/host.ts';
import type { DescribedPictures } from '../../engine/protocol.ts';
import type { Results } from '../results/results.ts';
import type { StoredSource } from '../store/stored-task.ts';
import type { TaskRow } from '../tasks/task-row.ts';
import { withLocalSource, type LocalSourceOptions } from '../sources/local-source.ts';
import { createMadeOnce, type MadeOnce } from './made-once.ts';
import { openTileFile, type TileFile } from './tile-file.ts';

export interface ViewsOptions extends LocalSourceOptions {
  results: Results;
  engine: Pick<EngineHost, 'work'>;
}

export interface OpenTiles extends TileFile {
  /** Another one for other contents. */
  version: string;
}

export interface Views {
  /** Whether there is a thumbnail of the source, or one can be made without asking a server. */
  hasSourceThumb(row: TaskRow): boolean;
  /** The path of the WebP file. Throws NOT_FOUND with a sentence when there is none. */
  sourceThumb(row: TaskRow): Promise<string>;
  /** Throws NOT_FOUND with a sentence when the picture is not there (any more). */
  tiles(row: TaskRow, side: PictureSide): Promise<OpenTiles>;
  /** As it was read when the task ran; of a task that waits, its source's. A side that is not there is empty. */
  metadata(row: TaskRow): Promise<DescribedPictures>;
  /** PNG: where the network changed the picture. Throws NOT_FOUND where no enlarging told. */
  changes(row: TaskRow): Promise<Buffer>;
  /** PNG: the subject of a cut-out. Throws NOT_FOUND where none was found. */
  mask(row: TaskRow): Promise<Buffer>;
}

const thumbLimitMs = 60_000;
/** A picture of some 16 megapixels takes a second; a source may be a RAW file, or of 400. */
const tilesLimitMs = 300_000;
const thumbsTogether = 2;
/** Directories of tile files that are kept in memory: of a gigapixel some megabytes. */
const keptTileFiles = 8;

export function createViews(options: ViewsOptions): Views {
  const { results, engine } = options;
  const thumbs = createMadeOnce(thumbsTogether);
  const tileSets = createMadeOnce(1);
  const opened = createTileFiles();
  const thumbPathOf = (row: TaskRow) => results.viewPaths(row.taskId, 1).sourceThumbPath;
  const fromSource = async (row: TaskRow, made: MadeOnce, what: 'thumbnail' | 'tiles') => {
    const paths = results.viewPaths(row.taskId, 1);
    const toPath = what === 'tiles' ? paths.sourceTilesPath : paths.sourceThumbPath;
    const limitMs = what === 'tiles' ? tilesLimitMs : thumbLimitMs;
    if (!existsSync(toPath)) assertSource(row, what);
    await made.need(toPath, () =>
      withLocalSource(row.source, options, (picture) =>
        engine.work(what, { ...picture, toPath }, limitMs),
      ),
    );
    return toPath;
  };
  return {
    hasSourceThumb: (row) =>
      !row.expired && (canRead(row, ['file']) || existsSync(thumbPathOf(row))),
    sourceThumb(row) {
      return fromSource(row, thumbs, 'thumbnail');
    },
    async tiles(row, side) {
      if (side === 'source') return opened(await fromSource(row, tileSets, 'tiles'));
      return opened(await resultTiles(row, options, tileSets));
    },
    metadata: (row) => metadataOf(row, options),
    changes: (row) =>
      leftBy(row, options, 'changesPath', 'Nothing is known of what was changed in this picture.'),
    mask: (row) => leftBy(row, options, 'maskPath', 'No subject was found in this picture.'),
  };
}

async function resultTiles(row: TaskRow, options: ViewsOptions, made: MadeOnce): Promise<string> {
  const { results, engine } = options;
  if (row.files === undefined)
    throw new EnlargerError('NOT_FOUND', `The task is ${row.status}; only a result has tiles.`);
  const { name } = row.files.image;
  const toPath = results.viewPaths(row.taskId, Number.parseInt(name, 10)).resultTilesPath;
  const source = { kind: 'data', path: results.pathOf(row.taskId, name), name } as const;
  await made.need(toPath, () =>
    withLocalSource(source, options, ({ limits, ...picture }) =>
      engine.work(
        'tiles',
        { ...picture, toPath, limits: { ...limits, sourcePixels: limits.resultPixels } },
        tilesLimitMs,
      ),
    ),
  );
  return toPath;
}

/** What the job left beside its result, or a NOT_FOUND with that sentence. */
async function leftBy(
  { taskId, files }: TaskRow,
  { results }: ViewsOptions,
  what: 'changesPath' | 'maskPath',
  otherwise: string,
): Promise<Buffer> {
  const attempt = Number.parseInt(files?.image.name ?? '0', 10);
  const found = await readFile(results.viewPaths(taskId, attempt)[what]).catch(() => null);
  if (found) return found;
  throw new EnlargerError('NOT_FOUND', otherwise);
}

async function metadataOf(row: TaskRow, options: ViewsOptions): Promise<DescribedPictures> {
  const { results, engine } = options;
  const attempt = Number.parseInt(row.files?.image.name ?? '0', 10);
  const kept = await readFile(results.viewPaths(row.taskId, attempt).metadataPath, 'utf8').catch(
    () => undefined,
  );
  if (row.files && kept !== undefined) return JSON.parse(kept) as DescribedPictures;
  const describe = (source: StoredSource) =>
    withLocalSource(source, options, ({ sourcePath, limits }) =>
      engine.work('describe', { sourcePath, limits }, thumbLimitMs),
    );
  const name = row.files?.image.name;
  const path = name && results.pathOf(row.taskId, name);
  return {
    source: canRead(row, ['file']) ? await describe(row.source) : [],
    result: path ? await describe({ kind: 'data', path, name }) : [],
  };
}

/** Uploads and data: sources go when their task is finished; a person's own file may still be there. */
const canRead = ({ source, holdsSource }: TaskRow, kinds: StoredSource['kind'][]) =>
  kinds.includes(source.kind) || (holdsSource && source.kind !== 'url');

/** No server is asked for the thumbnail of each waiting task. */
function assertSource(row: TaskRow, what: 'thumbnail' | 'tiles'): void {
  const isWanted = what === 'tiles' && row.holdsSource;
  if (canRead(row, isWanted ? ['file', 'url'] : ['file'])) return;
  if (row.holdsSource)
    throw new EnlargerError('NOT_FOUND', 'The picture is fetched when its turn comes.');
  throw new EnlargerError(
    'NOT_FOUND',
    'The source of this task was removed when it was finished, and no view of it was kept.',
  );
}

/** Opens tile files and remembers the last ones; one that was written anew is opened anew. */
function createTileFiles(): (path: string) => Promise<OpenTiles> {
  const known = new Map<string, Promise<TileFile>>();
  return async (path) => {
    const { mtimeMs, size } = await stat(path);
    const version = `${Math.round(mtimeMs).toString(36)}-${size.toString(36)}`;
    const key = `${path} ${version}`;
    const file = known.get(key) ?? openTileFile(path);
    known.delete(key);
    known.set(key, file);
    const [oldest] = known.keys();
    if (known.size > keptTileFiles && oldest !== undefined) known.delete(oldest);
    try {
      return { ...(await file), version };
    } catch (error) {
      known.delete(key);
      throw error;
    }
  };
}
