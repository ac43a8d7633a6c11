/** Deletes an imported model unless tasks or presets need it. */
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Settings, SettingsPatch } from '../../../packages/contract/src/settings/settings.ts';
import type { ModelDescriptor } from '../../../packages/contract/src/models/model.ts';
import type { PresetTable } from '../store/presets.ts';
import type { InspectionTable } from '../store/tasks/inspections.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { AddedModelStore } from './added-models.ts';
import type { ModelCatalogue } from './catalogue.ts';

export interface ModelRemovalDeps {
  addedModels: Pick<AddedModelStore, 'remove'>;
  models: Pick<ModelCatalogue, 'models'>;
  inspections: Pick<InspectionTable, 'openTasksOf'>;
  presets: Pick<PresetTable, 'list'>;
  settings: Pick<LiveSettings, 'get' | 'patch'>;
}

/** @throws EnlargerError NOT_FOUND; CONFLICT with what needs the model, unless `force` */
export async function removeModel(
  deps: ModelRemovalDeps,
  modelId: string,
  force: boolean,
): Promise<void> {
  const model = deps.models.models.find(({ id }) => id === modelId);
  const needs = model === undefined || force ? [] : needsOf(deps, modelId);
  if (needs.length > 0)
    throw new EnlargerError(
      'CONFLICT',
      `The model ${modelId} is needed: ${needs.join('; ')}. End or change them first, or remove it by force.`,
    );
  await deps.addedModels.remove(modelId);
  const patch = withoutDefault(deps.settings.get(), modelId, deps.models.models);
  if (Object.keys(patch).length > 0) await deps.settings.patch(patch);
}

function needsOf({ inspections, presets }: ModelRemovalDeps, modelId: string): string[] {
  const waiting = inspections.openTasksOf(modelId);
  const named = presets.list().filter(({ options }) => options.model === modelId);
  return [
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? 'task waits' : 'tasks wait'} for it`] : []),
    ...named.map(({ name }) => `the preset ${name} names it`),
  ];
}

/** Settings patch that makes the first remaining model the default. */
function withoutDefault(
  { defaultUpscaler, defaultRemover, defaultSelector }: Settings,
  modelId: string,
  remaining: readonly ModelDescriptor[],
): SettingsPatch {
  const firstFor = (task: ModelDescriptor['task']) =>
    remaining.find((model) => model.task === task && model.id !== modelId)?.id;
  const upscaler = defaultUpscaler === modelId ? firstFor('upscale') : undefined;
  const remover = defaultRemover === modelId ? firstFor('remove-bg') : undefined;
  return {
    ...(upscaler !== undefined && { defaultUpscaler: upscaler }),
    ...(remover !== undefined && { defaultRemover: remover }),
    ...(defaultSelector === modelId && { defaultSelector: '' }),
  };
}
