/**
 * Shares the columns of a pass between the inference thread and one beside it. Each has a session of one thread, so that
 * no core waits where a layer of the network, or what becomes of its output, is the work of one.
 */
import { asError } from '../../../packages/contract/src/error-messages.ts';
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import { taskCancelled } from '../../../packages/contract/src/errors.ts';
import { withRaster, type RasterShape } from '../raster/raster-file.ts';
import { runColumns, type ColumnPass } from '../tiles/run-columns.ts';
import type { PassReport } from '../tiles/run-pass.ts';
import type { ColumnsThread } from './columns-thread.ts';
import { sessionFor, threadsFor, type Runner } from './devices/best-device.ts';
import type { Choice } from './devices/choose-device.ts';
import { sharingThreads, streamedSize } from './measuring/tile-size.ts';
import type { Session } from './sessions/session.ts';
import type {
  ColumnsRequest,
  PassRequest,
  PrepareColumnsRequest,
  PrepareRequest,
} from './protocol.ts';

/** A smaller picture ends before the other thread has loaded the network. */
const minPixels = 1e6;
/** Narrower columns than half of this are mostly margin. */
const minWidth = 1024;

/** Whether a pass in columns is shared: tried on two cores, where it took a fifth less time. */
export const isShared = (
  { budget, preempts }: Pick<PassRequest, 'budget' | 'preempts'>,
  choice: Pick<Choice, 'threads'>,
  { width, height }: Pick<RasterShape, 'width' | 'height'>,
): boolean =>
  preempts !== true &&
  budget?.savesMemory !== true &&
  threadsFor(budget, choice) === sharingThreads &&
  width >= minWidth &&
  width * height >= minPixels;

/** Loads the network on the other thread, too, for a picture that will be shared. */
export function prepareShared(
  { columnsBeside }: Pick<Runner, 'columnsBeside'>,
  request: PrepareRequest,
  choice: Choice,
): void {
  const { network, picture } = request;
  const { provider, precision, tilePx } = choice;
  if (columnsBeside?.hasFailed !== false || provider !== 'cpu' || precision !== 'int8') return;
  if (!('scale' in network) || tilePx !== streamedSize(network)) return;
  const isOpaque = picture !== undefined && picture.channels % 2 === 1;
  const options = pickDefined(request, ['keepAliveMs', 'budget']);
  if (isOpaque && isShared(options, choice, picture))
    columnsBeside.prepare({ network, precision, ...options });
}

/** Positions in the memory that both threads share. */
const position = { nextColumn: 0, isPaused: 1, hasEnded: 2 } as const;

export interface SharedColumns {
  /** Stops the other thread before its next strip, until `resume`. */
  pause: () => void;
  resume: () => void;
  /**
   * Runs the pass on both threads.
   *
   * @param pass its `beforeStrip` gets what both have done
   * @throws what either of them throws, ColumnsThreadFailure included
   */
  run: (pass: ColumnPass) => Promise<PassReport>;
}

/** What is known of the other thread. */
interface OtherThread {
  /** Columns, and a fraction. */
  done: number;
  hasEnded: boolean;
  failure?: Error;
  onChange: () => void;
}

/** @param thread the other thread */
export function shareColumns(
  request: Omit<ColumnsRequest, 'shared'>,
  thread: Pick<ColumnsThread, 'run'>,
): SharedColumns {
  const shared = new SharedArrayBuffer(4 * Object.keys(position).length);
  const control = new Int32Array(shared);
  const setPaused = (value: 0 | 1) => {
    Atomics.store(control, position.isPaused, value);
    Atomics.notify(control, position.isPaused);
  };

  async function runBeside(other: OtherThread): Promise<void> {
    try {
      await thread.run({ ...request, shared }, ({ done }) => {
        other.done = done;
        other.onChange();
      });
    } catch (error) {
      other.failure = asError(error);
    }
    other.hasEnded = true;
    other.onChange();
  }

  async function run(pass: ColumnPass): Promise<PassReport> {
    const other: OtherThread = { done: 0, hasEnded: false, onChange: () => undefined };
    const beside = runBeside(other);
    const own = { done: 0, total: 0 };
    const beforeStrip = async () => {
      if (other.failure) throw other.failure;
      await pass.beforeStrip(own.done + other.done, own.total);
    };
    try {
      const report = await runColumns({
        ...pass,
        lanes: sharingThreads,
        takeColumn: takeFrom(control),
        beforeStrip(done, total) {
          Object.assign(own, { done, total });
          return beforeStrip();
        },
      });
      own.done = Math.ceil(own.done);
      while (!other.hasEnded) {
        await new Promise<void>((resolve) => (other.onChange = resolve));
        await beforeStrip();
      }
      if (other.failure) throw other.failure;
      return report;
    } finally {
      Atomics.store(control, position.hasEnded, 1);
      await beside;
    }
  }

  return { pause: () => setPaused(1), resume: () => setPaused(0), run };
}

const takeFrom = (control: Int32Array) => () => Atomics.add(control, position.nextColumn, 1);

const sessionOfColumns = (
  runner: Pick<Runner, 'sessions'>,
  { network, precision, budget }: PrepareColumnsRequest,
): Promise<Session> => {
  const choice = { provider: 'cpu', precision, threads: sharingThreads } as const;
  return sessionFor(runner, { network, ...(budget && { budget }) }, choice);
};

/** Loads what columns of a later pass need whatever its picture is. */
export async function prepareColumns(
  runner: Pick<Runner, 'sessions'>,
  request: PrepareColumnsRequest,
): Promise<void> {
  const session = await sessionOfColumns(runner, request);
  await session.prepare();
}

/**
 * Runs columns of a pass that another thread shares; this one may be blocked.
 *
 * @param onStrip called before each strip with the columns that this thread has done
 */
export async function runSharedColumns(
  runner: Pick<Runner, 'sessions'>,
  request: ColumnsRequest,
  onStrip: (event: { done: number }) => void,
): Promise<void> {
  const { inputPath, outputPath, network, condition } = request;
  const control = new Int32Array(request.shared);
  const stop = new Int32Array(request.stopFlag);
  const { openStream } = await sessionOfColumns(runner, request);
  if (!openStream) throw new Error(`${network.modelId} cannot run in strips`);
  await withRaster(inputPath, (input) =>
    withRaster(outputPath, (output) =>
      runColumns({
        ...{ input, output, network, lanes: sharingThreads },
        openStream: (width) => openStream(width, condition, 1),
        takeColumn: takeFrom(control),
        beforeStrip(done) {
          onStrip({ done });
          Atomics.wait(control, position.isPaused, 1);
          if (Atomics.load(stop, 0) !== 0 || Atomics.load(control, position.hasEnded) !== 0)
            throw taskCancelled();
          return Promise.resolve();
        },
      }),
    ),
  );
}
