/** What models are for, in the language of the terminal. English stands in the lists of the models themselves. */
import { summaryOf } from '../../../contract/src/models/downloads.ts';
import type { ModelView } from '../../../contract/src/models/model.ts';
import type { ObtainableModel } from '../../../contract/src/models/obtainable.ts';
import type { ModelPurposes, ObtainablePurposes } from '../../../contract/src/purposes/purposes.ts';
import { primaryLanguage } from '../text.ts';

export interface Purposes {
  /** Of an installed model. */
  of(model: Pick<ModelView, 'id' | 'description'>): string;
  /** Of a model that can be fetched, in a few words. */
  bestFor(model: Pick<ObtainableModel, 'id' | 'bestFor'>): string;
  /** Of a model that can be fetched, with what else is to be known. */
  summary(model: Pick<ObtainableModel, 'id' | 'bestFor' | 'description'>): string;
}

interface Catalogue {
  models: ModelPurposes;
  obtainable: ObtainablePurposes;
}

const catalogues: Readonly<Record<string, () => Promise<Catalogue>>> = {
  de: () => import('../../../contract/src/purposes/de.ts'),
  es: () => import('../../../contract/src/purposes/es.ts'),
  fr: () => import('../../../contract/src/purposes/fr.ts'),
  it: () => import('../../../contract/src/purposes/it.ts'),
  ja: () => import('../../../contract/src/purposes/ja.ts'),
  nl: () => import('../../../contract/src/purposes/nl.ts'),
  pl: () => import('../../../contract/src/purposes/pl.ts'),
  pt: () => import('../../../contract/src/purposes/pt-BR.ts'),
  zh: () => import('../../../contract/src/purposes/zh-Hans.ts'),
};

/** Loads the language that the command line speaks. */
export async function loadPurposes(): Promise<Purposes> {
  const catalogue = await catalogues[primaryLanguage()]?.();
  return createPurposes(catalogue?.models ?? {}, catalogue?.obtainable ?? {});
}

function createPurposes(models: Partial<ModelPurposes>, obtainable: ObtainablePurposes): Purposes {
  const known = new Map(Object.entries(models));
  const listed = new Map(Object.entries(obtainable));
  return {
    of: ({ id, description }) => known.get(id) ?? description,
    bestFor: ({ id, bestFor }) => listed.get(id)?.[0] ?? bestFor,
    summary: (model) => listed.get(model.id)?.join(' · ') ?? summaryOf(model),
  };
}
