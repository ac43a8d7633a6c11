/** Sentences tell people why tasks fail. */
import {
  taskCancelled,
  EnlargerError,
  taskErrorCodeOf,
  type TaskErrorCode,
} from '../../contract/errors.ts';
import { faultOf } from '../../contract/faults.ts';
import type { Task } from '../store/tasks/task.ts';
import { serviceDeathLimit } from '../store/tasks/transitions.ts';

interface TaskFailing {
  code: TaskErrorCode;
  message: string;
}

export const cancelled: TaskFailing = { code: 'CANCELLED', message: taskCancelled().message };

export const engineCrashed: TaskFailing = {
  code: 'ENGINE_CRASHED',
  message:
    'The engine stopped working on this picture twice, the second time on the CPU alone. ' +
    'Other pictures go on; retry it after an update, or with another model.',
};

export const serviceCrashed: TaskFailing = {
  code: 'ENGINE_CRASHED',
  message:
    `The service ended ${serviceDeathLimit} times while it worked on this picture (power loss, or killed), ` +
    'so it is not tried again by itself. Retry it when the machine is stable.',
};

export function failingOf(thrown: unknown): TaskFailing {
  const code = taskErrorCodeOf(thrown);
  if (thrown instanceof EnlargerError && code !== 'INTERNAL') {
    return { code, message: thrown.message };
  }
  // What was thrown goes into the log alone: it may hold a library's words, or paths.
  return { code: 'INTERNAL', message: `This picture was not done: ${faultOf(thrown)}.` };
}

export function notFound(taskId: string): EnlargerError {
  return new EnlargerError('TASK_NOT_FOUND', `There is no task ${taskId}.`);
}

/** Says why a call could not change a task: there is none, or its status does not allow it. */
export function refusal(taskId: string, task: Task | undefined, need: string): EnlargerError {
  if (!task) return notFound(taskId);
  return new EnlargerError('CONFLICT', `The task ${taskId} is ${task.status}; ${need}.`);
}
