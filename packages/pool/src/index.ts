/** The package's only entry: the application imports nothing else. */
export { createJobRunner, type JobRunner } from './job-runner.ts';
export { createPool, type Pool, type PoolTimes } from './pool.ts';
export { readStorageAddress } from './bytes/storage.ts';
