/** What a command starts, loaded only then: a mere client needs neither the database nor the web server. */
import type { Programs } from '../packages/command-line/src/index.ts';

export const programs: Programs = {
  startService: async (options) => (await import('./service/service.ts')).startService(options),
  serve: () => import('./headless.ts'),
};
