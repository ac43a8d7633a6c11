/** The service as a process of its own, as `npm run serve` starts it, for tests that kill it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { StartLine } from '../../packages/contract/src/settings/settings.ts';
import type { TaskRecord, TaskView } from '../../packages/contract/src/task.ts';
import { writeShippedSpeeds } from './measured-data.ts';
import { startProgram } from './program.ts';
import { headlessProgram } from './programs.ts';
import { patient } from './machine-pace.ts';

export interface HeadlessService extends StartLine {
  key: string;
  process: ChildProcess;
  stderr(): string;
  call(method: string, route: string, body?: unknown): Promise<Response>;
  submit(imageUrl: string, options?: Record<string, unknown>): Promise<string>;
  task(taskId: string): Promise<TaskView>;
  record(taskId: string): Promise<TaskRecord>;
  /** Sends the signal and waits for the end. Answers the exit code, or null when the signal ended it. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

/** It knows the speeds of the networks that ship, as after its first minute. */
export async function startHeadless(
  dataDir: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<HeadlessService> {
  await writeShippedSpeeds(dataDir);
  return startServiceProgram([headlessProgram, '--port', '0', '--data-dir', dataDir, ...args], env);
}

/** Any program that prints the line of a started service. */
export async function startServiceProgram(
  words: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<HeadlessService> {
  const running = startProgram(process.execPath, words, { ...process.env, ...env });
  const { child, said } = running;
  const started = Value.Parse(StartLine, JSON.parse(await running.firstLine));
  const key = (await readFile(started.keyFile, 'utf8')).trim();
  const headers = { Authorization: `KEY ${key}` };

  const call = (method: string, route: string, body?: unknown) =>
    fetch(started.url + route, {
      method,
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const answer = async <T>(method: string, route: string, body?: unknown): Promise<T> => {
    const response = await call(method, route, body);
    if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  return {
    ...started,
    key,
    process: child,
    stderr: () => said.stderr,
    call,
    submit: async (imageUrl, options = {}) =>
      (await answer<{ taskId: string }>('POST', '/api/image-upscaler', { imageUrl, ...options }))
        .taskId,
    task: (taskId) => answer<TaskView>('GET', `/api/task/${taskId}`),
    record: (taskId) => answer<TaskRecord>('GET', `/api/tasks/${taskId}`),
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

/** Waits until the task has ended; throws when it has not in the given time. */
export async function untilEnded(
  service: HeadlessService,
  taskId: string,
  timeoutMs = patient(60_000),
): Promise<TaskView> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const view = await service.task(taskId);
    if (view.status === 'FINISHED' || view.status === 'FAILED') return view;
    if (Date.now() > deadline) throw new Error(`Task ${taskId} is still ${view.status}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
