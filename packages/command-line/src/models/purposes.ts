/** What models are for, in the language of the terminal. English stands in the lists of the models themselves. */
import { summaryOf } from '../../../../electron/contract/models/downloads.ts';
import type { ModelView } from '../../../../electron/contract/models/model.ts';
import type { ObtainableModel } from '../../../../electron/contract/models/obtainable.ts';
import type {
  ModelPurposes,
  ObtainablePurposes,
} from '../../../../electron/contract/purposes/purposes.ts';
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
  de: () => import('../../../../electron/contract/purposes/de.ts'),
  es: () => import('../../../../electron/contract/purposes/es.ts'),
  fr: () => import('../../../../electron/contract/purposes/fr.ts'),
  it: () => import('../../../../electron/contract/purposes/it.ts'),
  ja: () => import('../../../../electron/contract/purposes/ja.ts'),
  nl: () => import('../../../../electron/contract/purposes/nl.ts'),
  pl: () => import('../../../../electron/contract/purposes/pl.ts'),
  pt: () => import('../../../../electron/contract/purposes/pt-BR.ts'),
  zh: () => import('../../../../electron/contract/purposes/zh-Hans.ts'),
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
