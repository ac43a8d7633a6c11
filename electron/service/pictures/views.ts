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
import type { Task, TaskSource } from '../store/tasks/task.ts';
import { withLocalSource, type LocalSourceOptions } from '../sources/local-source.ts';
import { createSingleFlight, type SingleFlight } from './single-flight.ts';
import { openTileFile, type TileFile } from './tile-file.ts';

interface ViewsOptions extends LocalSourceOptions {
  results: Results;
  engine: Pick<EngineHost, 'work'>;
}

interface OpenTiles extends TileFile {
  /** Another one for other contents. */
  version: string;
}

export interface Views {
  /** Whether there is a thumbnail of the source, or one can be made without asking a server. */
  hasSourceThumb(task: Task): boolean;
  /** The path of the WebP file. Throws NOT_FOUND with a sentence when there is none. */
  sourceThumb(task: Task): Promise<string>;
  /** Throws NOT_FOUND with a sentence when the picture is not there (any more). */
  tiles(task: Task, side: PictureSide): Promise<OpenTiles>;
  /** As it was read when the task ran; of a task that waits, its source's. A side that is not there is empty. */
  metadata(task: Task): Promise<DescribedPictures>;
  /** PNG: where the network changed the picture. Throws NOT_FOUND where no enlarging told. */
  changes(task: Task): Promise<Buffer>;
  /** PNG: the subject of a cut-out. Throws NOT_FOUND where none was found. */
  mask(task: Task): Promise<Buffer>;
}

const thumbLimitMs = 60_000;
/** A picture of some 16 megapixels takes a second; a source may be a RAW file, or of 400. */
const tilesLimitMs = 300_000;
const thumbConcurrency = 2;
/** Directories of tile files that are kept in memory: of a gigapixel some megabytes. */
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
  const toPath = results.viewPaths(task.taskId, Number.parseInt(name, 10)).resultTilesPath;
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

/** What the job left beside its result, or a NOT_FOUND with that sentence. */
async function leftBy(
  { taskId, files }: Task,
  { results }: ViewsOptions,
  what: 'changesPath' | 'maskPath',
  otherwise: string,
): Promise<Buffer> {
  const attempt = Number.parseInt(files?.image.name ?? '0', 10);
  const found = await readFile(results.viewPaths(taskId, attempt)[what]).catch(() => null);
  if (found) return found;
  throw new EnlargerError('NOT_FOUND', otherwise);
}

async function metadataOf(task: Task, options: ViewsOptions): Promise<DescribedPictures> {
  const { results, engine } = options;
  const attempt = Number.parseInt(task.files?.image.name ?? '0', 10);
  const kept = await readFile(results.viewPaths(task.taskId, attempt).metadataPath, 'utf8').catch(
    () => undefined,
  );
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

/** Uploads and data: sources go when their task is finished; a person's own file may still be there. */
const canRead = ({ source, holdsSource }: Task, kinds: TaskSource['kind'][]) =>
  kinds.includes(source.kind) || (holdsSource && source.kind !== 'url');

/** No server is asked for the thumbnail of each waiting task. */
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
