/** Routes of presets. */
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  Preset,
  PresetBody,
  PresetList,
  PresetPatch,
} from '../../../packages/contract/src/settings/preset.ts';
import type { PresetRow } from '../store/presets.ts';
import { type Api, answers, ref } from '../../../packages/http/src/index.ts';
import { assertOptions, planOptions } from '../planning/plan-options.ts';
import type { OptionPlanning } from '../planning/task-options.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { Store } from '../store/store.ts';

export interface PresetDeps extends OptionPlanning {
  presets: Store['presets'];
  clock: Pick<ServiceClock, 'wallMs'>;
}

const tags = ['presets'];
const PresetParams = Type.Object({ id: Type.String() });
const changed = answers(
  { 200: ref(Preset) },
  'FORBIDDEN_PATH',
  'CONFLICT',
  'MODEL_UNAVAILABLE',
  'STORAGE_FULL',
);

export function presetRoutes(app: Api, deps: PresetDeps): void {
  const { presets } = deps;

  app.get(
    '/api/presets',
    {
      schema: {
        tags,
        summary: 'List presets',
        response: answers({ 200: ref(PresetList) }),
      },
    },
    () => ({ presets: presets.list().map(presetView) }),
  );
  app.post(
    '/api/presets',
    {
      schema: {
        tags,
        summary: 'Create a preset',
        body: ref(PresetBody),
        response: changed,
      },
    },
    async ({ body }) => presetView(presets.insert(await newPreset(body, deps))),
  );
  app.patch(
    '/api/presets/:id',
    {
      schema: {
        tags,
        summary: 'Change a preset; its options are replaced as a whole',
        params: PresetParams,
        body: ref(PresetPatch),
        response: answers(changed, 'NOT_FOUND'),
      },
    },
    async ({ params, body }) => presetView(await changePreset(params.id, body, deps)),
  );
  app.delete(
    '/api/presets/:id',
    {
      schema: {
        tags,
        summary: 'Delete a preset that no watched folder uses',
        params: PresetParams,
        response: answers({ 204: Type.Null() }, 'NOT_FOUND', 'CONFLICT', 'STORAGE_FULL'),
      },
    },
    (request, reply) => {
      if (!presets.remove(request.params.id)) throw noPreset();
      return reply.code(204).send(null);
    },
  );
}

async function newPreset(body: PresetBody, deps: PresetDeps): Promise<PresetRow> {
  const { operation } = body;
  const options = assertOptions(operation, body.options);
  await planOptions(operation, options, deps);
  return {
    id: randomUUID(),
    name: body.name.trim(),
    operation,
    options,
    createdAt: deps.clock.wallMs(),
  };
}

/** A new name alone does not plan the options, so an unavailable folder does not matter. */
async function changePreset(id: string, patch: PresetPatch, deps: PresetDeps): Promise<PresetRow> {
  const known = deps.presets.get(id);
  if (known === undefined) throw noPreset();
  const operation = patch.operation ?? known.operation;
  const options = assertOptions(operation, patch.options ?? known.options);
  if (patch.options !== undefined || operation !== known.operation)
    await planOptions(operation, options, deps);
  const name = patch.name?.trim() ?? known.name;
  const row = deps.presets.update({ id, name, operation, options });
  if (row === undefined) throw noPreset();
  return row;
}

function presetView({ createdAt, ...preset }: PresetRow): Preset {
  return { ...preset, createdAt: new Date(createdAt).toISOString() };
}

function noPreset(): EnlargerError {
  return new EnlargerError('NOT_FOUND', 'There is no preset with this id.');
}
