/** Inputs of the tools: fields of a submit, with paths instead of URLs. */
import { Type, type Static } from 'typebox';
import { closed, oneOf } from '../../contract/src/common.ts';
import { operations, RemoveBackgroundBody, UpscaleBody } from '../../contract/src/request.ts';

const photoPath = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Absolute path of the photo.',
});

const pathFields = {
  path: photoPath,
  outputFolder: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: "Absolute path of the folder for the result; the photo's own folder by default.",
    }),
  ),
  wait: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: answer at once with a task id, to be asked for with task_status.',
    }),
  ),
};

/**
 * Omitted because they belong to other clients of the service, or because text injected into an agent could use them:
 * `callbackUrl` to learn of the person's photos, `grants` to read and write in any folder, since the agent of a person
 * has the key of the data folder, `onConflict: overwrite` to replace photos. `onlyAccepted` waits for a person who
 * accepts the result in the page, of whom an agent knows nothing, and `oneVersion` takes saved files away by what that
 * person accepts.
 */
const omitted = [
  'imageUrl',
  'grants',
  'onConflict',
  'source',
  'photo',
  'saveTo',
  'onlyAccepted',
  'oneVersion',
  'priority',
  'callbackUrl',
  'callbackEvents',
] as const;

const saveFields = {
  onConflict: Type.Optional(
    oneOf(['number', 'skip'], {
      description: 'When a file of that name exists in the folder: number the new one, or skip it.',
    }),
  ),
};

export const EnlargeInput = closed({
  ...pathFields,
  ...saveFields,
  ...Type.Omit(UpscaleBody, [...omitted, 'strokes']).properties,
});
export const RemoveBackgroundInput = closed({
  ...pathFields,
  ...saveFields,
  ...Type.Omit(RemoveBackgroundBody, [...omitted, 'strokes', 'backgroundImage']).properties,
});
export const EstimateInput = closed({
  path: photoPath,
  operation: Type.Optional(oneOf(operations, { default: 'upscale' })),
  ...Type.Omit(UpscaleBody, [...omitted, 'strokes']).properties,
});
export const NoInput = closed({});
export const TaskInput = closed({
  taskId: Type.String({ pattern: '^[0-9a-fA-F-]{36}$', description: 'Id that a tool returned.' }),
});

export type MakeInput = Static<typeof EnlargeInput> | Static<typeof RemoveBackgroundInput>;
export type EstimateInput = Static<typeof EstimateInput>;
