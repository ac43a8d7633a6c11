// Loaded before the service: on the signal, what its JavaScript holds after a collection is appended to a file.
import { appendFileSync } from 'node:fs';

const file = process.env.ENLARGER_SIEGE_MEMORY;
process.on('SIGUSR2', () => {
  const before = process.memoryUsage();
  globalThis.gc?.();
  const after = process.memoryUsage();
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ before, after })}\n`);
});
