/** MCP server with tools for agents over the API, alike for stdio and HTTP, and for each revision of MCP. */
import { pathToFileURL } from 'node:url';
import { fromJsonSchema, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { Static, TSchema } from 'typebox';
import type { Client } from '../../api-client/src/client.ts';
import { EnlargerError } from '../../contract/src/errors.ts';
import { createCheck } from '../../http/src/index.ts';
import { failed, resultOf, refused, textResult } from './tool-results.ts';
import {
  allowedFolders,
  isNotGranted,
  makePicture,
  notAbsolute,
  notAllowed,
  type OwnFiles,
  type ToolDeps,
  type ToolResult,
} from './make-picture.ts';
import {
  EnlargeInput,
  EstimateInput,
  NoInput,
  RemoveBackgroundInput,
  TaskInput,
} from './tool-inputs.ts';
import path from 'node:path';

interface McpOptions {
  version: string;
  client: Client;
  ownFiles?: OwnFiles;
}

const instructions =
  'Enlarges photographs and cuts out their subjects on this machine, offline. Give absolute paths of files; results are saved as files, whose paths and links are answered. A photo takes seconds to minutes: with wait false the task goes on and task_status tells of it.';

export function createMcpServer({ version, client, ownFiles }: McpOptions): McpServer {
  const server = new McpServer({ name: 'enlarger', title: 'Enlarger', version }, { instructions });
  const deps: ToolDeps = { server, client, ownFiles };
  server.registerTool(
    'enlarge',
    {
      title: 'Enlarge a photo',
      description:
        'Enlarges a photo 2, 4, 8 or 16 times, or to a size, and saves the result beside it. Its file is not changed.',
      inputSchema: schemaOf(EnlargeInput),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    checked(EnlargeInput, (input, ctx) => makePicture('upscale', input, deps, ctx)),
  );
  server.registerTool(
    'remove_background',
    {
      title: 'Cut out the subject of a photo',
      description:
        'Removes the background of a photo and saves the subject as a PNG with transparency, or over a colour or blur. Fails with NO_SUBJECT where nothing stands out.',
      inputSchema: schemaOf(RemoveBackgroundInput),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    checked(RemoveBackgroundInput, (input, ctx) => makePicture('remove-bg', input, deps, ctx)),
  );
  server.registerTool(
    'estimate',
    {
      title: 'What enlarging would make and cost',
      description: 'Size, format, file size, disk and seconds, without starting anything.',
      inputSchema: schemaOf(EstimateInput),
      annotations: { readOnlyHint: true },
    },
    checked(EstimateInput, (input, ctx) => estimate(input, deps, ctx)),
  );
  server.registerTool(
    'list_models',
    {
      title: 'List the installed models',
      description: 'Ids for the field model, what each is for, and by what it enlarges.',
      inputSchema: schemaOf(NoInput),
      annotations: { readOnlyHint: true },
    },
    checked(NoInput, () => listModels(client)),
  );
  server.registerTool(
    'task_status',
    {
      title: 'How far a task is',
      description: 'Status, progress, and the path of the result once it is finished.',
      inputSchema: schemaOf(TaskInput),
      annotations: { readOnlyHint: true },
    },
    checked(TaskInput, ({ taskId }) =>
      client.record(taskId).then((record) => resultOf(record), refused),
    ),
  );
  return server;
}

/** The contract's schemas are JSON Schema already. What a schema refuses, `checked` says in a sentence. */
const schemaOf = <T extends TSchema>(schema: T) =>
  fromJsonSchema<Static<T>>(
    { ...schema },
    {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
  );

/** Calls the tool with an input that its schema takes; else the tool's result is the API's refusal. */
function checked<T extends TSchema>(
  schema: T,
  call: (input: Static<T>, ctx: ServerContext) => Promise<ToolResult>,
) {
  const check = createCheck(schema, 'arguments');
  return async (input: unknown, ctx: ServerContext): Promise<ToolResult> => {
    try {
      check(input);
    } catch (thrown) {
      if (thrown instanceof EnlargerError) return failed(thrown.code, thrown.message);
      throw thrown;
    }
    return call(input as Static<T>, ctx);
  };
}

async function estimate(input: EstimateInput, deps: ToolDeps, ctx: ServerContext) {
  const { path: photo, ...fields } = input;
  const { client, ownFiles } = deps;
  if (!path.isAbsolute(photo)) return notAbsolute(photo);
  const ask = async (imageUrl: string) => {
    const found = await client.estimate({ ...fields, imageUrl });
    const { width, height, format, seconds, problem } = found;
    const time = seconds === undefined ? '' : `, about ${Math.ceil(seconds)} s`;
    const text = problem ? problem.message : `${width} x ${height}, ${format}${time}`;
    return textResult(text, { ...found });
  };
  try {
    return await ask(pathToFileURL(photo).href);
  } catch (thrown) {
    if (!isNotGranted(thrown, photo)) return refused(thrown);
    const allowed = allowedFolders(deps, ctx, thrown);
    if (!Array.isArray(allowed)) return allowed;
    if (ownFiles === undefined) return refused(thrown);
    if ((await ownFiles.firstOutside(allowed, photo)) !== undefined)
      return notAllowed(photo, allowed);
    return ask(await ownFiles.upload(photo, allowed, ctx.mcpReq.signal)).catch(refused);
  }
}

async function listModels(client: Client) {
  const { models } = await client.models();
  const shown = models.map(({ id, name, task, scales, description, licence, isDefault }) => ({
    id,
    name,
    task,
    scales,
    description,
    licence,
    isDefault,
  }));
  const line = ({ id, task, scales, description }: (typeof shown)[number]) =>
    `${id} (${task}${scales.length > 0 ? ` ${scales.join('x, ')}x` : ''}): ${description}`;
  return textResult(shown.map(line).join('\n'), { models: shown });
}
