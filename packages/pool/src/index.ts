/** The door of this package: the application imports nothing else of it. */
export { createJobRunner, type JobRunner } from './job-runner.ts';
export { createPool, type Pool, type PoolTimes } from './pool.ts';
export { readStorageAddress } from './bytes/storage.ts';
