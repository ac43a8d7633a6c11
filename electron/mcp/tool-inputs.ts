/** The tools take the fields of a submit, with paths in the place of addresses. */
import { Type, type Static } from 'typebox';
import { closed, oneOf } from '../contract/common.ts';
import { operations, RemoveBackgroundBody, UpscaleBody } from '../contract/request.ts';

const photoPath = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Absolute path of the photo.',
});

const places = {
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
 * These fields are left out, because they belong to other faces of the service, or would be addresses: whoever can
 * write into an agent's text could have a `callbackUrl` told of the person's photos.
 */
const omitted = ['imageUrl', 'source', 'photo', 'saveTo', 'priority', 'callbackUrl'] as const;

export const EnlargeInput = closed({
  ...places,
  ...Type.Omit(UpscaleBody, omitted).properties,
});
export const RemoveBackgroundInput = closed({
  ...places,
  ...Type.Omit(RemoveBackgroundBody, [...omitted, 'strokes', 'backgroundImage']).properties,
});
export const EstimateInput = closed({
  path: photoPath,
  operation: Type.Optional(oneOf(operations, { default: 'upscale' })),
  ...Type.Omit(UpscaleBody, omitted).properties,
});
export const NoInput = closed({});
export const TaskInput = closed({
  taskId: Type.String({ pattern: '^[0-9a-fA-F-]{36}$', description: 'Id that a tool returned.' }),
});

export type MakeInput = Static<typeof EnlargeInput> | Static<typeof RemoveBackgroundInput>;
export type EstimateInput = Static<typeof EstimateInput>;
