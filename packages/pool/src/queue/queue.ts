/** Parts that are loaded together, only if a pool is set. */
export { createRegistry } from './registry.ts';
export { openPoolServer } from './server.ts';
export { createHelpQueues, createSubmitQueues, defaultTimes } from './work-queues.ts';
