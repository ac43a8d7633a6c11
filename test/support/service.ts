/** The whole service in this process, on real sockets, files and SQLite, with an engine that does as it is told. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import type {
  ModelDescriptor,
  RemoverDescriptor,
} from '../../packages/contract/src/models/model.ts';
import type { TaskRecord, TaskView } from '../../packages/contract/src/task.ts';
import type { EngineHost, EngineHostOptions } from '../../electron/engine/host/host.ts';
import type { SourceInspection } from '../../electron/engine/protocol/messages.ts';
import { patient } from './machine-pace.ts';
import { plainMaskContract } from './networks-masks.ts';
import { plainContract } from './networks.ts';
import { startService, type Service } from '../../electron/service/service.ts';
import type { ServiceOptions } from '../../electron/service/service-options.ts';
import {
  createScriptedEngine,
  type Act,
  type ScriptedEngine,
} from '../service/tasks/scripted-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestService extends Service {
  dataDir: string;
  /** The command line's key. */
  key: string;
  engine: ScriptedEngine;
  /** JSON when `body` is not bytes; with the key unless headers say otherwise. */
  call(
    method: string,
    route: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  submit(imageUrl?: string, options?: Record<string, unknown>): Promise<string>;
  task(taskId: string): Promise<TaskView>;
  record(taskId: string): Promise<TaskRecord>;
  until(taskId: string, ...statuses: TaskView['status'][]): Promise<TaskView>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON. */
  body: unknown;
  text: string;
}

export interface TestServiceOptions extends Partial<ServiceOptions> {
  /** What the engine does for each attempt; it finishes by default. */
  script?: (taskId: string, attempt: number) => Act;
  inspection?: SourceInspection;
  models?: ModelDescriptor[];
  /** Told what the engine would ask for the room that there is. */
  onEngine?: (room: EngineHostOptions['budget']) => void;
}

/** A picture's worth of bytes that needs no network. */
export const dataUrl = 'data:image/png;base64,iVBORw0KGgo=';

export async function openService(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options.dataDir ?? temporaryFolder(), options);
  onTestFinished(() => service.close());
  return service;
}

/** The same outside of a test: whoever starts it closes it. */
export async function startTestService(
  dataDir: string,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const { script = () => ({ do: 'finish' }), inspection, models, onEngine, ...given } = options;
  const modelsDir = given.modelsDir ?? (await writeModels(dataDir, models));
  const engine = createScriptedEngine(script);
  const service = await startService({
    port: 0,
    enginePath: '',
    nodePath: process.execPath,
    pageDir: path.join(dataDir, 'page'),
    version: '1.2.3',
    log: () => undefined,
    createEngine({ budget: room }) {
      onEngine?.(room);
      return hostOf(engine, inspection);
    },
    measuresAtStart: false,
    ...given,
    dataDir,
    modelsDir,
  });
  const key = (await readFile(service.keyFile, 'utf8')).trim();
  return { ...service, dataDir, key, engine, ...createClient(service.url, key) };
}

type Client = Pick<TestService, 'call' | 'submit' | 'task' | 'record' | 'until'>;

export function createClient(url: string, key: string): Client {
  const call: Client['call'] = async (method, route, body, headers = {}) => {
    const isBytes = body instanceof Uint8Array || body instanceof FormData;
    const response = await fetch(route.startsWith('http') ? route : url + route, {
      method,
      headers: {
        authorization: `KEY ${key}`,
        ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isBytes ? body : asText(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, body: parsed, text };
  };
  const read = async <T>(route: string): Promise<T> => (await call('GET', route)).body as T;
  const task = (taskId: string) => read<TaskView>(`/api/task/${taskId}`);
  return {
    call,
    task,
    record: (taskId) => read<TaskRecord>(`/api/tasks/${taskId}`),
    async submit(imageUrl = dataUrl, fields = {}) {
      const answer = await call('POST', '/api/image-upscaler', { imageUrl, ...fields });
      if (answer.status !== 200) throw new Error(answer.text);
      return (answer.body as { taskId: string }).taskId;
    },
    async until(taskId, ...statuses) {
      const deadline = Date.now() + patient(15_000);
      // Scripted engines end within milliseconds; real ones take seconds, in which each look costs them time.
      for (let pollMs = 10; Date.now() < deadline; pollMs = Math.min(2 * pollMs, 50)) {
        const view = await task(taskId);
        if (statuses.includes(view.status)) return view;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      throw new Error(`${taskId} did not become ${statuses.join(' or ')}.`);
    },
  };
}

function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function hostOf(engine: ScriptedEngine, inspection: SourceInspection | undefined): EngineHost {
  const picture = { format: 'jpeg', width: 100, height: 50, bitDepth: 8, channels: 3, pages: 1 };
  return {
    run: (job, watch) => engine.run(job, watch),
    inspect: () => Promise.resolve(inspection ?? { ...picture, sizeBytes: 1000 }),
    work: () => Promise.reject(new EnlargerError('UNREADABLE_IMAGE', 'There is no picture.')),
    devices: () =>
      Promise.resolve({ devices: [{ provider: 'cpu', name: 'CPU', state: 'in-use' }] }),
    speeds: () => [],
    measure: () => Promise.resolve(undefined),
    warmUp: () => undefined,
    close: () => Promise.resolve(),
  };
}

export async function writeModels(
  dataDir: string,
  models: ModelDescriptor[] = [testModel],
): Promise<string> {
  const modelsDir = path.join(dataDir, 'test-models');
  await mkdir(modelsDir, { recursive: true });
  await writeFile(path.join(modelsDir, 'weights.onnx'), weights);
  await writeFile(path.join(modelsDir, 'catalogue.json'), JSON.stringify({ models }));
  return modelsDir;
}

const weights = 'weights';

const variants: RemoverDescriptor['networks'][0]['variants'] = [
  {
    precision: 'fp32',
    file: 'weights.onnx',
    sha256: createHash('sha256').update(weights).digest('hex'),
    sizeBytes: weights.length,
  },
];

export const testRemover: RemoverDescriptor = {
  id: 'cutout',
  name: 'Test',
  task: 'remove-bg',
  description: 'For tests.',
  licence: 'MIT',
  author: 'Tests',
  networks: [
    {
      ...plainMaskContract,
      variants,
    },
  ],
};

export const testModel: ModelDescriptor = {
  id: 'faithful',
  name: 'Test',
  task: 'upscale',
  description: 'For tests.',
  licence: 'MIT',
  author: 'Tests',
  networks: [2, 4].map((scale) => ({ ...plainContract, scale, marginPx: 2, variants })),
};
