import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { noTelemetry } from './electron/engine/host/engine-environment.ts';

/** vitest begins with the largest files where it knows no times, as in a bare clone; short journeys are long, too. */
class JourneysFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isJourney = ({ moduleId }: TestSpecification) => moduleId.includes('/test/journeys/');
    return [...sorted.filter(isJourney), ...sorted.filter((file) => !isJourney(file))];
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
    maxWorkers: 2,
    pool: 'forks',
    sequence: { sequencer: JourneysFirst },
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
