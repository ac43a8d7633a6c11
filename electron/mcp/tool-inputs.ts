/** The tools take the fields of a submit, with paths in the place of addresses. */
import { Type, type Static } from 'typebox';
import { oneOf } from '../contract/common.ts';
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

/** These fields are left out, because they belong to other faces of the service, or would be addresses. */
const left = ['imageUrl', 'source', 'photo', 'saveTo', 'priority'] as const;

export const EnlargeInput = Type.Object({
  ...places,
  ...Type.Omit(UpscaleBody, left).properties,
});
export const RemoveBackgroundInput = Type.Object({
  ...places,
  ...Type.Omit(RemoveBackgroundBody, [...left, 'strokes', 'backgroundImage']).properties,
});
export const EstimateInput = Type.Object({
  path: photoPath,
  operation: Type.Optional(oneOf(operations, { default: 'upscale' })),
  ...Type.Omit(UpscaleBody, left).properties,
});
export const TaskInput = Type.Object({ taskId: Type.String({ minLength: 1, maxLength: 100 }) });

export type MakeInput = Static<typeof EnlargeInput> | Static<typeof RemoveBackgroundInput>;
export type EstimateInput = Static<typeof EstimateInput>;
