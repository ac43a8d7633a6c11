/** Results of tools: text for the model, paths and links for the program, never a picture's bytes. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../../api-client/src/transport.ts';
import { formats, isOutputFormat } from '../../contract/src/formats.ts';
import type { TaskRecord } from '../../contract/src/task.ts';

export function textResult(
  text: string,
  structuredContent?: Record<string, unknown>,
): CallToolResult {
  return { content: [{ type: 'text', text }], ...(structuredContent && { structuredContent }) };
}

/** An API error as a tool error, which the model may act on. Other errors are rethrown. */
export function refused(thrown: unknown): CallToolResult {
  if (!(thrown instanceof ApiError)) throw thrown;
  return failed(thrown.code, thrown.message);
}

export const failed = (code: string, message: string): CallToolResult => ({
  isError: true,
  ...textResult(`${message} (${code})`, { code, message }),
});

/** @param savedTo path of the result; undefined if only the service has it, for a day */
export function resultOf(record: TaskRecord, savedTo = record.savedTo): CallToolResult {
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
  if (status !== 'FINISHED')
    return textResult(`Task ${taskId} is ${status}, ${progress} %.`, about);
  const size = output ? `${output.width} x ${output.height}` : 'The result';
  if (savedTo === undefined)
    return textResult(`${size}: finished, and in no folder of its own.`, about);
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
