/**
 * Shows the views of a task: thumbnail and tiles of its source, tiles of its result. A job writes them
 * (engine/views/views.ts); a view that a job did not write, or has not yet, is made when it is wanted and its
 * picture exists. All views are in the task's result folder and are removed with it.
 */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { PictureSide } from '../../contract/picture.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { EngineHost } from '../../engine/host/host.ts';
import type { DescribedPictures } from '../../engine/protocol/messages.ts';
import type { Results } from '../results/results.ts';
import type { Task, TaskSource } from '../store/tasks/task.ts';
import { withLocalSource, type LocalSourceOptions } from '../sources/local-source.ts';
import { createSingleFlight, type SingleFlight } from './single-flight.ts';
import { openTileFile, type TileFile } from './tile-file.ts';

interface ViewsOptions extends LocalSourceOptions {
  results: Results;
  engine: Pick<EngineHost, 'work'>;
}

interface OpenTiles extends TileFile {
  /** Other contents have another version. */
  version: string;
}

export interface Views {
  /** Tells whether the source has a thumbnail, or one can be made without asking a server. */
  hasSourceThumb(task: Task): boolean;
  /** Answers the path of the WebP file. It throws NOT_FOUND with a sentence when there is none. */
  sourceThumb(task: Task): Promise<string>;
  /** Opens the tiles of one side. It throws NOT_FOUND with a sentence when its picture does not exist (any more). */
  tiles(task: Task, side: PictureSide): Promise<OpenTiles>;
  /**
   * Answers the metadata as it was read when the task ran, or the source's for a waiting task. A side whose
   * picture does not exist has an empty list.
   */
  metadata(task: Task): Promise<DescribedPictures>;
  /** Answers a PNG that shows where the network changed the picture. It throws NOT_FOUND where there is none. */
  changes(task: Task): Promise<Buffer>;
  /** Answers a PNG of a cut-out's subject. It throws NOT_FOUND where no subject was found. */
  mask(task: Task): Promise<Buffer>;
}

const thumbLimitMs = 60_000;
/** Tiles of some 16 megapixels take a second; a source may be a RAW file, or have 400 megapixels. */
const tilesLimitMs = 300_000;
const thumbConcurrency = 2;
/** So many directories of tile files are kept in memory; a gigapixel's takes some megabytes. */
const keptTileFiles = 8;

export function createViews(options: ViewsOptions): Views {
  const { results, engine } = options;
  const thumbs = createSingleFlight(thumbConcurrency);
  const tileSets = createSingleFlight(1);
  const opened = createTileFiles();
  const thumbPathOf = (task: Task) => results.viewPaths(task.taskId, 1).sourceThumbPath;
  const fromSource = async (task: Task, made: SingleFlight, what: 'thumbnail' | 'tiles') => {
    const paths = results.viewPaths(task.taskId, 1);
    const toPath = what === 'tiles' ? paths.sourceTilesPath : paths.sourceThumbPath;
    const limitMs = what === 'tiles' ? tilesLimitMs : thumbLimitMs;
    if (!existsSync(toPath)) assertSource(task, what);
    await made.need(toPath, () =>
      withLocalSource(task.source, options, (picture) =>
        engine.work(what, { ...picture, toPath }, limitMs),
      ),
    );
    return toPath;
  };
  return {
    hasSourceThumb: (task) => canRead(task, ['file']) || existsSync(thumbPathOf(task)),
    sourceThumb(task) {
      return fromSource(task, thumbs, 'thumbnail');
    },
    async tiles(task, side) {
      if (side === 'source') return opened(await fromSource(task, tileSets, 'tiles'));
      return opened(await resultTiles(task, options, tileSets));
    },
    metadata: (task) => metadataOf(task, options),
    changes: (task) =>
      leftBy(task, options, 'changesPath', 'Nothing is known of what was changed in this picture.'),
    mask: (task) => leftBy(task, options, 'maskPath', 'No subject was found in this picture.'),
  };
}

async function resultTiles(task: Task, options: ViewsOptions, made: SingleFlight): Promise<string> {
  const { results, engine } = options;
  if (task.files === undefined)
    throw new EnlargerError('NOT_FOUND', `The task is ${task.status}; only a result has tiles.`);
  const { name } = task.files.image;
  const toPath = results.viewPaths(task.taskId, attemptOf(task)).resultTilesPath;
  const source = { kind: 'data', path: results.pathOf(task.taskId, name), name } as const;
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

/** Reads a map that the job wrote beside its result, or throws NOT_FOUND with the sentence. */
async function leftBy(
  task: Task,
  { results }: ViewsOptions,
  what: 'changesPath' | 'maskPath',
  otherwise: string,
): Promise<Buffer> {
  const paths = results.viewPaths(task.taskId, attemptOf(task));
  const found = await readFile(paths[what]).catch(() => null);
  if (found) return found;
  throw new EnlargerError('NOT_FOUND', otherwise);
}

/** Answers the attempt that made the result, by whose number its file is named; 0 where there is none. */
const attemptOf = ({ files }: Task) => Number.parseInt(files?.image.name ?? '0', 10);

async function metadataOf(task: Task, options: ViewsOptions): Promise<DescribedPictures> {
  const { results, engine } = options;
  const { metadataPath } = results.viewPaths(task.taskId, attemptOf(task));
  const kept = await readFile(metadataPath, 'utf8').catch(() => undefined);
  if (task.files && kept !== undefined) return JSON.parse(kept) as DescribedPictures;
  const describe = (source: TaskSource) =>
    withLocalSource(source, options, ({ sourcePath, limits }) =>
      engine.work('describe', { sourcePath, limits }, thumbLimitMs),
    );
  const name = task.files?.image.name;
  const path = name && results.pathOf(task.taskId, name);
  return {
    source: canRead(task, ['file']) ? await describe(task.source) : [],
    result: path ? await describe({ kind: 'data', path, name }) : [],
  };
}

/**
 * Tells whether the source can be read. Uploads and data: sources are removed when their task is finished; a
 * person's own file may still exist.
 */
const canRead = ({ source, holdsSource }: Task, kinds: TaskSource['kind'][]) =>
  kinds.includes(source.kind) || (holdsSource && source.kind !== 'url');

/**
 * Throws NOT_FOUND when the view cannot be made of the source. For a thumbnail, no server is asked, because
 * each waiting task has one.
 */
function assertSource(task: Task, what: 'thumbnail' | 'tiles'): void {
  const isWanted = what === 'tiles' && task.holdsSource;
  if (canRead(task, isWanted ? ['file', 'url'] : ['file'])) return;
  if (task.holdsSource)
    throw new EnlargerError('NOT_FOUND', 'The picture is fetched when its turn comes.');
  throw new EnlargerError(
    'NOT_FOUND',
    'The source of this task was removed when it was finished, and no view of it was kept.',
  );
}

/** Creates a function that opens tile files and remembers the latest. It opens a rewritten file anew. */
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
