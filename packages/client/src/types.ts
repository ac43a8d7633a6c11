/** Types of the contract. The build writes them out in place of this module (packaging/client-package.ts). */
export type { ModelView } from '../../../electron/contract/models/model.ts';
export type {
  RemoveBackgroundOptions,
  UpscaleOptions,
} from '../../../electron/contract/request.ts';
export type { Estimate, TaskRecord, TaskView } from '../../../electron/contract/task.ts';
