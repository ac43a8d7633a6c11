/** Runs a tool: submits the photo by path, follows its progress, cancels it with the call. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Client } from '../../api-client/src/client.ts';
import { followTasks } from '../../api-client/src/follow.ts';
import { ApiError } from '../../api-client/src/transport.ts';
import { nothingThereSentence } from '../../contract/src/error-messages.ts';
import type { Operation } from '../../contract/src/request.ts';
import type { TaskRecord } from '../../contract/src/task.ts';
import { resultOf, failed, refused } from './tool-results.ts';
import { rootsOf } from './roots.ts';
import type { MakeInput } from './tool-inputs.ts';

/** Access to files in the client's folders that were not granted to the service. */
export interface OwnFiles {
  /** Folders allowed in addition to the client's roots. */
  folders: readonly string[];
  /** Returns the path that is no file or no folder inside the allowed folders. */
  firstOutside(
    allowed: readonly string[],
    file: string,
    folder?: string,
  ): Promise<string | undefined>;
  /** Uploads a file of the allowed folders and returns the URL to submit. @throws EnlargerError FORBIDDEN_PATH */
  upload(file: string, allowed: readonly string[], signal: AbortSignal): Promise<string>;
  /** Saves a result in an allowed folder and returns its path. @throws EnlargerError FORBIDDEN_PATH */
  save(
    record: TaskRecord,
    folder: string,
    allowed: readonly string[],
    signal: AbortSignal,
  ): Promise<string>;
}

export interface ToolDeps {
  client: Client;
  server: McpServer;
  /** Absent: only granted files are read and written. */
  ownFiles?: OwnFiles | undefined;
}

export type ToolResult = CallToolResult | InputRequiredResult;

export async function makePicture(
  operation: Operation,
  { path: photo, outputFolder = path.dirname(photo), wait: waits = true, ...fields }: MakeInput,
  deps: ToolDeps,
  ctx: ServerContext,
): Promise<ToolResult> {
  const { client } = deps;
  const { signal } = ctx.mcpReq;
  try {
    if (!path.isAbsolute(photo)) return notAbsolute(photo);
    const granted = { imageUrl: pathToFileURL(photo).href, saveTo: outputFolder };
    const taskId = await client.submit(operation, { ...fields, ...granted }, { signal });
    if (!waits) return resultOf(await client.record(taskId));
    return resultOf(await followTask(client, taskId, ctx));
  } catch (thrown) {
    if (!isNotGranted(thrown, photo, outputFolder)) return refused(thrown);
    const allowed = allowedFolders(deps, ctx, thrown);
    if (!Array.isArray(allowed)) return allowed;
    const outside = await deps.ownFiles?.firstOutside(allowed, photo, outputFolder);
    if (outside !== undefined) return notAllowed(outside, allowed);
    const own = { photo, outputFolder, allowed, fields };
    return makeFromOwnFiles(operation, own, deps, ctx).catch(refused);
  }
}

interface OwnPicture {
  photo: string;
  outputFolder: string;
  allowed: readonly string[];
  fields: object;
}

async function makeFromOwnFiles(
  operation: Operation,
  { photo, outputFolder, allowed, fields }: OwnPicture,
  { client, ownFiles }: ToolDeps,
  ctx: ServerContext,
): Promise<CallToolResult> {
  if (ownFiles === undefined) throw new Error('Files of the client cannot be reached from here.');
  const { signal } = ctx.mcpReq;
  const imageUrl = await ownFiles.upload(photo, allowed, signal);
  const taskId = await client.submit(operation, { ...fields, imageUrl }, { signal });
  const record = await followTask(client, taskId, ctx);
  if (record.status === 'FAILED') return resultOf(record);
  return resultOf(record, await ownFiles.save(record, outputFolder, allowed, signal));
}

/** Follows a task to its end. If the signal fires, cancels the task and rejects with the signal's reason. */
async function followTask(
  client: Client,
  taskId: string,
  { mcpReq }: ServerContext,
): Promise<TaskRecord> {
  const { signal, notify } = mcpReq;
  const progressToken = mcpReq._meta?.progressToken;
  const ending = new AbortController();
  let lastPercent = -1;
  const report = (progress: number, message: string) => {
    if (progressToken === undefined || progress <= lastPercent) return;
    lastPercent = progress;
    const params = { progressToken, progress, total: 100, message };
    notify({ method: 'notifications/progress', params }).catch((error: unknown) =>
      ending.abort(error),
    );
  };
  try {
    const { end } = followTasks(client, AbortSignal.any([signal, ending.signal]));
    report(0, 'pending');
    const record = await end(taskId, (percent) => report(percent, 'processing'));
    if (record.status === 'FINISHED') report(100, 'finished');
    return record;
  } catch (thrown) {
    if (signal.aborted) await client.cancel(taskId).catch(refused);
    throw thrown;
  } finally {
    ending.abort();
  }
}

/** False where the service may use the folder and nothing is there. */
export const isNotGranted = (
  thrown: unknown,
  photo: string,
  outputFolder = path.dirname(photo),
): thrown is ApiError =>
  thrown instanceof ApiError &&
  thrown.code === 'FORBIDDEN_PATH' &&
  thrown.message !== nothingThereSentence(photo, 'file') &&
  thrown.message !== nothingThereSentence(outputFolder, 'folder');

/** Folders allowed in addition to granted ones, or a tool result to return instead. */
export function allowedFolders(
  { server, ownFiles }: ToolDeps,
  ctx: ServerContext,
  refusal: ApiError,
): string[] | ToolResult {
  if (ownFiles === undefined) return refused(refusal);
  const roots = rootsOf(server, ctx);
  if (roots !== undefined && !Array.isArray(roots)) return roots;
  return [...ownFiles.folders, ...(roots ?? [])];
}

export const notAbsolute = (received: string) =>
  failed(
    'INVALID_REQUEST',
    `Expected path to be absolute but received ${JSON.stringify(received)}.`,
  );

export const notAllowed = (file: string, folders: readonly string[]) =>
  failed(
    'FORBIDDEN_PATH',
    `${file} does not exist inside a folder that may be used. Allowed here: ${folders.join(', ') || 'none'}, and what is granted in Enlarger. Check the path, or grant its folder there, or start with --allow-folder.`,
  );
