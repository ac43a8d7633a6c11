/** Tools answer words for the model, and paths and links for the program, but never a picture's bytes. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../client/transport.ts';
import { formats, isOutputFormat } from '../contract/formats.ts';
import type { TaskRecord } from '../contract/task.ts';

export function said(text: string, structuredContent?: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], ...(structuredContent && { structuredContent }) };
}

/** Answers an error of the API, which the model may do something about. Others are thrown. */
export function refused(thrown: unknown): CallToolResult {
  if (!(thrown instanceof ApiError)) throw thrown;
  return failed(thrown.code, thrown.message);
}

export const failed = (code: string, message: string): CallToolResult => ({
  isError: true,
  ...said(`${message} (${code})`, { code, message }),
});

/** @param savedTo the path of the result; undefined where it lies only in the service, for a day */
export function answerOf(record: TaskRecord, savedTo = record.savedTo): CallToolResult {
  const { taskId, status, progress, error, output, notes, place, etaSeconds } = record;
  if (status === 'FAILED') return failed(error?.code ?? 'INTERNAL', error?.message ?? 'It failed.');
  const about = {
    taskId,
    status,
    progress,
    ...(place !== undefined && { place }),
    ...(etaSeconds !== undefined && { etaSeconds }),
    ...(savedTo !== undefined && { path: savedTo }),
    ...(output && { width: output.width, height: output.height, format: output.format }),
    ...(notes.length > 0 && { notes }),
  };
  if (status !== 'FINISHED') return said(`Task ${taskId} is ${status}, ${progress} %.`, about);
  const size = output ? `${output.width} x ${output.height}` : 'The result';
  if (savedTo === undefined) return said(`${size}: finished, and in no folder of its own.`, about);
  const type =
    output && isOutputFormat(output.format) ? formats[output.format].mimeType : undefined;
  return {
    content: [
      { type: 'text', text: `${size}, saved as ${savedTo}` },
      {
        type: 'resource_link',
        uri: pathToFileURL(savedTo).href,
        name: path.basename(savedTo),
        ...(type !== undefined && { mimeType: type }),
      },
    ],
    structuredContent: about,
  };
}
