import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { noTelemetry } from './electron/engine/host/engine-environment.ts';

/** Rooms whose files run longest, the longest first: a bare clone has no times of former runs to sort by. */
const longRooms = ['journeys', 'cli/photos', 'packages', 'service/previews', 'engine'].map(
  (room) => `/test/${room}/`,
);

class LongRoomsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longRooms.findIndex((room) => moduleId.includes(room));
      return rank === -1 ? longRooms.length : rank;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/shell/**'],
    globalSetup: ['test/support/build-programs.ts'],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/report.json' },
    // Tests wait for browsers and processes: two of them left two cores idle for 41 % of a run.
    maxWorkers: 3,
    pool: 'forks',
    sequence: { sequencer: LongRoomsFirst },
    // The programs that tests start, some by hundreds, are compiled once.
    env: {
      ...noTelemetry,
      NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
      TEST_RUN: randomUUID(),
    },
    // It imports JSON without saying so, which Node refuses.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
  },
});
