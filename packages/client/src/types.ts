/** Types of the contract. The build writes them out in place of this module (packaging/client-package.ts). */
export type { ModelView } from '../../contract/src/models/model.ts';
export type { RemoveBackgroundOptions, UpscaleOptions } from '../../contract/src/request.ts';
export type { Estimate, TaskRecord, TaskView } from '../../contract/src/task.ts';
