import { randomUUID } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { noTelemetry } from './electron/engine/host/engine-environment.ts';
import { openTemporaryDisk } from './test/support/temporary-disk.ts';

/** Node runs these sources as they are. Compiled by vite each use of what another module exports is a look-up. */
const checkout = path
  .resolve()
  .replaceAll(path.sep, '/')
  .replace(/[^\w/]/g, String.raw`\$&`);
const nativeSources = new RegExp(`^${checkout}/(electron|packages|packaging)/`);

/** Of a process of tests with its browser, service and engine. */
const workerBytes = 2e9;

/** Rooms whose files run longest, the longest first: a bare clone has no times of former runs to sort by. */
const longRooms = [
  'journeys',
  'packages/command-line/photos',
  'packages',
  'service/previews',
  'engine',
].map((room) => `/test/${room}/`);

/**
 * Rooms whose files run one after the other in one process: it reads the modules that they share once. What mocks
 * modules, changes the environment or listens to signals has a process of its own, and so has what imports the engine's
 * decoders: they block other readers of sharp for their process.
 */
const sharedRooms = [
  '*',
  '{journeys,launch,renderer,support}/**/*',
  'cli/*',
  'desktop/**/!(incoming|platforms|window)',
  'engine/{analysis,importing,plan,protocol,tiles,views}/**/*',
  'engine/host/!(inspector-process|sandbox)',
  'engine/inference/**/!(probe|webgpu)',
  'engine/jobs/**/!(choose-by-clicks|compare-reduced|look-in-boxes|no-subject)',
  'engine/raster/**/*',
  'packages/!(command-line)/**/!(shares|foreign-tables|hostile-animations|inspect|packages|plain-tiff|removebg-routes)',
  'packages/command-line/**/!(lightroom)',
  'packaging/**/!(icons)',
  'service/!(closers)',
  'service/!(tasks|sources)/**/*',
  'service/sources/**/!(copy-tiff-parts)',
  'service/tasks/**/*',
].map((files) => `test/${files}.test.ts`);
const noTests = ['test/bench/**', 'test/shell/**'];

/** Journeys come first, then processes of their own: they run longest, and the others fill up behind them. */
class LongRoomsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId, project }: TestSpecification) => {
      const rank = longRooms.findIndex((room) => moduleId.includes(room));
      const isLate = rank !== 0 && !project.config.isolate;
      return (isLate ? 100 : 0) + (rank === -1 ? longRooms.length : rank);
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

// Tests compare English sentences and numbers, on a machine of any language.
Object.assign(process.env, { LANG: 'C.UTF-8', LANGUAGE: 'en', LC_ALL: 'C.UTF-8' });

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['test/**/*.test.ts'],
          exclude: [...noTests, ...sharedRooms],
        },
      },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: sharedRooms,
          exclude: noTests,
          isolate: false,
          server: { deps: { external: [nativeSources] } },
          setupFiles: ['test/support/shared-process.ts'],
        },
      },
    ],
    globalSetup: ['test/support/build-programs.ts', 'test/support/temporary-disk.ts'],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/report.json' },
    // Tests wait for browsers and processes: two of them left two cores idle for 41 % of a run.
    maxWorkers: Math.max(
      2,
      Math.min(availableParallelism() + 1, Math.floor(totalmem() / workerBytes)),
    ),
    pool: 'forks',
    // The modules of hundreds of files stay in a process: to look through them for garbage again and again, and while
    // it waits for a service, takes 11 % of its files' processor time.
    execArgv: [
      ...['--min-semi-space-size=32', '--max-semi-space-size=32'],
      ...['--initial-heap-size=600', '--no-memory-reducer'],
    ],
    sequence: { sequencer: LongRoomsFirst },
    // The programs that tests start, some by hundreds, are compiled once.
    env: {
      ...noTelemetry,
      NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
      TEST_RUN: randomUUID(),
      TMPDIR: openTemporaryDisk(),
    },
    // It imports JSON without saying so, which Node refuses.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
  },
});
