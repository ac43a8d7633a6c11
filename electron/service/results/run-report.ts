import type { JobReport } from '../../engine/protocol/messages.ts';

/** An engine's report; `ranOn` is the other machine that ran the job, absent where this one did. */
export type RunReport = JobReport & { ranOn?: { id: string; name: string } };
