import {
  taskCancelled,
  EnlargerError,
  taskErrorCodeOf,
  type TaskErrorCode,
} from '../../../packages/contract/src/errors.ts';
import { reasonOf } from '../../../packages/contract/src/error-messages.ts';
import type { Task } from '../store/tasks/task.ts';
import { serviceDeathLimit } from '../store/tasks/transitions.ts';

interface TaskError {
  code: TaskErrorCode;
  message: string;
}

export const cancelled: TaskError = { code: 'CANCELLED', message: taskCancelled().message };

export const engineCrashed: TaskError = {
  code: 'ENGINE_CRASHED',
  message:
    'The engine stopped working on this picture twice, the second time on the CPU alone. ' +
    'Other pictures go on; retry it after an update, or with another model.',
};

export const serviceCrashed: TaskError = {
  code: 'ENGINE_CRASHED',
  message:
    `The service ended ${serviceDeathLimit} times while it worked on this picture (power loss, or killed), ` +
    'so it is not tried again by itself. Retry it when the machine is stable.',
};

export function taskErrorOf(thrown: unknown): TaskError {
  const code = taskErrorCodeOf(thrown);
  if (thrown instanceof EnlargerError && code !== 'INTERNAL') {
    return { code, message: thrown.message };
  }
  // The thrown text goes to the log only: it may contain paths or a library's wording.
  return { code: 'INTERNAL', message: `This picture was not done: ${reasonOf(thrown)}.` };
}

export function taskNotFound(taskId: string): EnlargerError {
  return new EnlargerError('TASK_NOT_FOUND', `There is no task ${taskId}.`);
}

/**
 * Error for a change that the task's status does not allow; TASK_NOT_FOUND if there is no task.
 * @param need completes the sentence, e.g. `only a failed task can be retried`
 */
export function statusConflict(
  taskId: string,
  task: Task | undefined,
  need: string,
): EnlargerError {
  if (!task) return taskNotFound(taskId);
  return new EnlargerError('CONFLICT', `The task ${taskId} is ${task.status}; ${need}.`);
}
