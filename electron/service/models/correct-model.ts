/** Applies a person's corrections to a model. Pure. */
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import type {
  ModelCorrection,
  ModelDescriptor,
} from '../../../packages/contract/src/models/model.ts';

const words = ['name', 'description', 'licence', 'author'] as const;
const ofUpscalers = ['channels', 'range', 'marginPx', 'padding', 'tileExact'] as const;
const ofSelectors = ['mean', 'deviation', 'range', 'matting'] as const;
const ofRemovers = [
  'channels',
  'range',
  'mean',
  'deviation',
  'outputPlane',
  'activation',
  'size',
  'matting',
] as const;

const fieldsOf = { upscale: ofUpscalers, 'remove-bg': ofRemovers, select: ofSelectors };

/** @throws EnlargerError INVALID_REQUEST for fields of another kind of model and for impossible values */
export function corrected(model: ModelDescriptor, correction: ModelCorrection): ModelDescriptor {
  const own: readonly string[] = fieldsOf[model.task];
  const allowed = [...words, ...own];
  const foreign = Object.keys(correction).filter((field) => !allowed.includes(field));
  if (foreign.length > 0)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected fields of a model for ${model.task} (${allowed.join(', ')}) but received ${foreign.join(', ')}.`,
    );
  const { range, deviation } = correction;
  if (range && range[0] >= range[1])
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected range to rise from black to white but received ${range.join(' to ')}.`,
    );
  if (deviation?.some((one) => one === 0))
    throw new EnlargerError('INVALID_REQUEST', 'Expected deviation without 0 but received one.');
  const about = pickDefined(correction, words);
  if (model.task === 'select')
    return {
      ...model,
      ...about,
      networks: model.networks.map((one) => ({ ...one, ...pickDefined(correction, ofSelectors) })),
    };
  return model.task === 'upscale'
    ? {
        ...model,
        ...about,
        networks: model.networks.map((one) => ({
          ...one,
          ...pickDefined(correction, ofUpscalers),
        })),
      }
    : {
        ...model,
        ...about,
        networks: model.networks.map((one) => ({ ...one, ...pickDefined(correction, ofRemovers) })),
      };
}
