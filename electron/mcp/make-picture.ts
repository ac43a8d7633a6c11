/** Makes a tool's picture: submits the photo by its path, follows its progress, and cancels it with the call. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Client } from '../client/client.ts';
import { followTasks } from '../client/follow.ts';
import { ApiError } from '../client/transport.ts';
import type { Operation } from '../contract/request.ts';
import type { TaskRecord } from '../contract/task.ts';
import { answerOf, failed, refused } from './answers.ts';
import { isInsideOne, rootsOf } from './roots.ts';
import type { MakeInput } from './tool-inputs.ts';

/** Reads and writes files in the client's folders that the service itself was not granted. */
export interface OwnFiles {
  /** These folders are allowed beside the client's roots. */
  folders: readonly string[];
  /** Uploads a file and answers the address to submit. */
  upload(file: string, signal: AbortSignal): Promise<string>;
  /** Saves a result and answers its path. */
  save(record: TaskRecord, folder: string, signal: AbortSignal): Promise<string>;
}

export interface ToolDeps {
  client: Client;
  server: McpServer;
  /** Where it is absent, only what the service was granted is read and written. */
  ownFiles?: OwnFiles | undefined;
}

type Answer = CallToolResult | InputRequiredResult;

export async function makePicture(
  operation: Operation,
  { path: photo, outputFolder = path.dirname(photo), wait: waits = true, ...fields }: MakeInput,
  deps: ToolDeps,
  ctx: ServerContext,
): Promise<Answer> {
  const { client } = deps;
  const { signal } = ctx.mcpReq;
  try {
    if (!path.isAbsolute(photo)) return notAbsolute(photo);
    const granted = { imageUrl: pathToFileURL(photo).href, saveTo: outputFolder };
    const taskId = await client.submit(operation, { ...fields, ...granted }, { signal });
    if (!waits) return answerOf(await client.record(taskId));
    return answerOf(await followTask(client, taskId, ctx));
  } catch (thrown) {
    if (!isForbidden(thrown)) return refused(thrown);
    const allowed = allowedFolders(deps, ctx, thrown);
    if (!Array.isArray(allowed)) return allowed;
    const outside = await firstOutside([photo, outputFolder], allowed);
    if (outside !== undefined) return notAllowed(outside, allowed);
    return makeFromOwnFiles(operation, { photo, outputFolder, fields }, deps, ctx).catch(refused);
  }
}

async function makeFromOwnFiles(
  operation: Operation,
  { photo, outputFolder, fields }: { photo: string; outputFolder: string; fields: object },
  { client, ownFiles }: ToolDeps,
  ctx: ServerContext,
): Promise<CallToolResult> {
  if (ownFiles === undefined) throw new Error('Files of the client cannot be reached from here.');
  const { signal } = ctx.mcpReq;
  const imageUrl = await ownFiles.upload(photo, signal);
  const taskId = await client.submit(operation, { ...fields, imageUrl }, { signal });
  const record = await followTask(client, taskId, ctx);
  if (record.status === 'FAILED') return answerOf(record);
  return answerOf(record, await ownFiles.save(record, outputFolder, signal));
}

/** Follows a task to its end. When the signal fires, it cancels the task and rejects with the signal's reason. */
async function followTask(
  client: Client,
  taskId: string,
  { mcpReq }: ServerContext,
): Promise<TaskRecord> {
  const { signal, notify } = mcpReq;
  const progressToken = mcpReq._meta?.progressToken;
  const ending = new AbortController();
  let told = -1;
  const tell = (progress: number, message: string) => {
    if (progressToken === undefined || progress <= told) return;
    told = progress;
    const params = { progressToken, progress, total: 100, message };
    notify({ method: 'notifications/progress', params }).catch((error: unknown) =>
      ending.abort(error),
    );
  };
  try {
    const { end } = followTasks(client, AbortSignal.any([signal, ending.signal]));
    tell(0, 'pending');
    const record = await end(taskId, (percent) => tell(percent, 'processing'));
    if (record.status === 'FINISHED') tell(100, 'finished');
    return record;
  } catch (thrown) {
    if (signal.aborted) await client.cancel(taskId).catch(refused);
    throw thrown;
  } finally {
    ending.abort();
  }
}

export const isForbidden = (thrown: unknown): thrown is ApiError =>
  thrown instanceof ApiError && thrown.code === 'FORBIDDEN_PATH';

/** Answers the folders that are allowed beside the granted ones, or an answer of the tool in their place. */
export function allowedFolders(
  { server, ownFiles }: ToolDeps,
  ctx: ServerContext,
  refusal: ApiError,
): string[] | Answer {
  if (ownFiles === undefined) return refused(refusal);
  const roots = rootsOf(server, ctx);
  if (roots !== undefined && !Array.isArray(roots)) return roots;
  return [...ownFiles.folders, ...(roots ?? [])];
}

export async function firstOutside(
  places: readonly string[],
  folders: readonly string[],
): Promise<string | undefined> {
  for (const place of places) if (!(await isInsideOne(place, folders))) return place;
  return undefined;
}

export const notAbsolute = (given: string) =>
  failed('INVALID_REQUEST', `Expected path to be absolute but received ${JSON.stringify(given)}.`);

export const notAllowed = (place: string, folders: readonly string[]) =>
  failed(
    'FORBIDDEN_PATH',
    `${place} does not exist inside a folder that may be used. Allowed here: ${folders.join(', ') || 'none'}, and what is granted in Enlarger. Grant its folder there, or start with --allow-folder.`,
  );
