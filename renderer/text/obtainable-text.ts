/** What the models that can be downloaded are for, in the reader's language or else in the list's own English. */
import { summaryOf } from '../../packages/contract/src/models/downloads.ts';
import type { ObtainableModel } from '../../packages/contract/src/models/obtainable.ts';
import type { Language } from './language.ts';
import { language, ownValue } from './text.ts';

type Listed = Pick<ObtainableModel, 'id' | 'bestFor' | 'description'>;

/** The page says in the reader's language what the model is for; else the list's own English sentences are shown. */
export function isTranslated({ id }: { id: string }, { obtainable }: Language = language): boolean {
  return obtainable !== undefined && Object.hasOwn(obtainable, id);
}

/** What a model that can be downloaded is best for, in a few words. */
export function bestForText(model: Listed, { obtainable }: Language = language): string {
  return ownValue(obtainable, model.id)?.[0] ?? model.bestFor;
}

/** What a model that can be downloaded is best for, and what else is to be known. */
export function purposeText(model: Listed, { obtainable }: Language = language): string {
  return ownValue(obtainable, model.id)?.join(' · ') ?? summaryOf(model);
}
