/**
 * Views of a task: thumbnail and tiles of the source, tiles of the result. Jobs write them
 * (engine/views/views.ts); missing ones are created on demand if their picture exists. They are in the result
 * folder and deleted with it.
 */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { closed, oneOf } from '../../../packages/contract/src/common.ts';
import { metadataGroups, type PictureSide } from '../../../packages/contract/src/picture.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { EngineHost } from '../../engine/host/host.ts';
import type { DescribedPictures } from '../../engine/protocol/messages.ts';
import { readPlainFile } from '../../../packages/files/src/plain-file.ts';
import type { Results } from '../results/results.ts';
import type { Task, TaskSource } from '../store/tasks/task.ts';
import { withLocalSource, type LocalSourceOptions } from '../sources/local-source.ts';
import { sourceStateOf, type SourceState } from '../sources/source-state.ts';
import type { Uploads } from '../sources/uploads.ts';
import { createSingleFlight, type SingleFlight } from './single-flight.ts';
import { openTileFile, type TileFile } from './tile-file.ts';

interface ViewsOptions extends LocalSourceOptions {
  results: Results;
  engine: Pick<EngineHost, 'work'>;
  uploads: Pick<Uploads, 'get'>;
}

interface OpenTiles extends TileFile {
  /** Changes with the contents. */
  version: string;
}

export interface Views {
  /** True if the source has a thumbnail, or one can be made without a download. */
  hasSourceThumb(task: Task): boolean;
  /** Path of the WebP file. @throws EnlargerError NOT_FOUND if there is none */
  sourceThumb(task: Task): Promise<string>;
  /** @throws EnlargerError NOT_FOUND if the side's picture does not exist (any more) */
  tiles(task: Task, side: PictureSide): Promise<OpenTiles>;
  /**
   * Metadata as read by the job, of a waiting task that of its source. Empty list for a side without a
   * picture.
   */
  metadata(task: Task): Promise<DescribedPictures>;
  /** PNG of where the network changed the picture. @throws EnlargerError NOT_FOUND if there is none */
  changes(task: Task): Promise<Buffer>;
  /** PNG of the cut-out's subject. @throws EnlargerError NOT_FOUND if no subject was found */
  mask(task: Task): Promise<Buffer>;
}

const thumbLimitMs = 60_000;
/** Tiles of 16 megapixels take a second; a source may be RAW or have 400 megapixels. */
const tilesLimitMs = 300_000;
const thumbConcurrency = 2;
/** A map has 1024 pixels along its longer side, of one byte. */
const maxMapBytes = 4_000_000;
/** Fields of source and result, whose number and length are limited. */
const maxMetadataBytes = 32_000_000;
/** Directories in memory; that of a gigapixel takes some megabytes. */
const maxCachedTileFiles = 8;

export function createViews(options: ViewsOptions): Views {
  const { results, engine, uploads } = options;
  const thumbs = createSingleFlight(thumbConcurrency);
  const tileSets = createSingleFlight(1);
  const opened = createTileFiles();
  const thumbPathOf = (task: Task) => results.viewPaths(task.taskId, 1).sourceThumbPath;
  const fromSource = async (task: Task, made: SingleFlight, what: 'thumbnail' | 'tiles') => {
    const paths = results.viewPaths(task.taskId, 1);
    const toPath = what === 'tiles' ? paths.sourceTilesPath : paths.sourceThumbPath;
    const limitMs = what === 'tiles' ? tilesLimitMs : thumbLimitMs;
    if (!existsSync(toPath)) assertSource(task, sourceStateOf(task, uploads), what);
    await made.need(toPath, () =>
      withLocalSource(task.source, options, (picture) =>
        engine.work(what, { ...picture, toPath }, limitMs),
      ),
    );
    return toPath;
  };
  return {
    hasSourceThumb: (task) =>
      sourceStateOf(task, uploads) === 'local' || existsSync(thumbPathOf(task)),
    sourceThumb(task) {
      return fromSource(task, thumbs, 'thumbnail');
    },
    async tiles(task, side) {
      if (side === 'source') return opened(await fromSource(task, tileSets, 'tiles'));
      return opened(await resultTiles(task, options, tileSets));
    },
    metadata: (task) => metadataOf(task, options),
    changes: (task) =>
      readMap(
        task,
        options,
        'changesPath',
        'Nothing is known of what was changed in this picture.',
      ),
    mask: (task) => readMap(task, options, 'maskPath', 'No subject was found in this picture.'),
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

/** A map written by the job. @throws EnlargerError NOT_FOUND with the given sentence */
async function readMap(
  task: Task,
  { results }: ViewsOptions,
  what: 'changesPath' | 'maskPath',
  otherwise: string,
): Promise<Buffer> {
  const paths = results.viewPaths(task.taskId, attemptOf(task));
  const found = await readPlainFile(paths[what], maxMapBytes).catch(() => null);
  if (found) return found;
  throw new EnlargerError('NOT_FOUND', otherwise);
}

/** Attempt that made the result, which its file name contains; 0 without a result. */
export const attemptOf = ({ files }: Task) => Number.parseInt(files?.image.name ?? '0', 10);

async function metadataOf(task: Task, options: ViewsOptions): Promise<DescribedPictures> {
  const { results, engine, uploads } = options;
  const { metadataPath } = results.viewPaths(task.taskId, attemptOf(task));
  const stored = await readPlainFile(metadataPath, maxMetadataBytes).then(
    readDescribed,
    noDescription,
  );
  if (task.files && stored) return stored;
  const describe = (source: TaskSource) =>
    withLocalSource(source, options, ({ sourcePath, limits }) =>
      engine.work('describe', { sourcePath, limits }, thumbLimitMs),
    );
  const name = task.files?.image.name;
  const path = name && results.pathOf(task.taskId, name);
  return {
    source: sourceStateOf(task, uploads) === 'local' ? await describe(task.source) : [],
    result: path ? await describe({ kind: 'data', path, name }) : [],
  };
}

const Fields = Type.Array(
  closed({ group: oneOf(metadataGroups), name: Type.String(), value: Type.String() }),
);
const Described = closed({ source: Fields, result: Fields });

const noDescription = () => undefined;

/** Undefined for what the engine or another machine of a pool would not write. */
function readDescribed(stored: Buffer): DescribedPictures | undefined {
  let described: unknown;
  try {
    described = JSON.parse(stored.toString());
  } catch {
    return undefined;
  }
  return Value.Check(Described, described) ? described : undefined;
}

/**
 * Thumbnails are never downloaded for, since every waiting task has one.
 * @throws EnlargerError NOT_FOUND if the view cannot be made
 */
function assertSource(task: Task, state: SourceState, what: 'thumbnail' | 'tiles'): void {
  if (state === 'local' || (state === 'remote' && what === 'tiles' && task.holdsSource)) return;
  if (task.holdsSource)
    throw new EnlargerError('NOT_FOUND', 'The picture is fetched when its turn comes.');
  throw new EnlargerError(
    'NOT_FOUND',
    'The source of this task was removed when it was finished, and no view of it was kept.',
  );
}

/** Caches the latest tile files. A rewritten file is opened anew. */
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
    if (known.size > maxCachedTileFiles && oldest !== undefined) known.delete(oldest);
    try {
      return { ...(await file), version };
    } catch (error) {
      known.delete(key);
      throw error;
    }
  };
}
