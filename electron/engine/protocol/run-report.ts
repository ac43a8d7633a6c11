import type { JobReport } from './messages.ts';

/** The engine's report. `ranOn` names the other machine that ran the job, if any. */
export type RunReport = JobReport & { ranOn?: { id: string; name: string } };
