/** What of this folder is loaded with a pool, all at once. */
export { createRegistry } from './registry.ts';
export { openPoolServer } from './server.ts';
export { createHelpQueues, createSubmitQueues, usualTimes } from './work-queues.ts';
