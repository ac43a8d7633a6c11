/** These parts of the folder are loaded at once, and only when a pool is set. */
export { createRegistry } from './registry.ts';
export { openPoolServer } from './server.ts';
export { createHelpQueues, createSubmitQueues, usualTimes } from './work-queues.ts';
