import { defineConfig } from 'vitest/config';
import { silence } from './electron/engine/hosting/engine-environment.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/report.json' }]],
    // Longer than a page's own waits, which say what they waited for; and whoever starts first builds.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What a page or a service shows soon is waited for, on slow machines too.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
    pool: 'forks',
    env: silence,
    // It imports JSON without saying so, which Node refuses.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
  },
});
