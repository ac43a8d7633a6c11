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

const catalogues: Readonly<Record<string, () => Promise<Purposes>>> = {
  de: async () => {
    const { modelsDe, obtainableDe } = await import('../../../../electron/contract/purposes/de.ts');
    return createPurposes(modelsDe, obtainableDe);
  },
  es: async () => {
    const { modelsEs, obtainableEs } = await import('../../../../electron/contract/purposes/es.ts');
    return createPurposes(modelsEs, obtainableEs);
  },
  fr: async () => {
    const { modelsFr, obtainableFr } = await import('../../../../electron/contract/purposes/fr.ts');
    return createPurposes(modelsFr, obtainableFr);
  },
  it: async () => {
    const { modelsIt, obtainableIt } = await import('../../../../electron/contract/purposes/it.ts');
    return createPurposes(modelsIt, obtainableIt);
  },
  ja: async () => {
    const { modelsJa, obtainableJa } = await import('../../../../electron/contract/purposes/ja.ts');
    return createPurposes(modelsJa, obtainableJa);
  },
  nl: async () => {
    const { modelsNl, obtainableNl } = await import('../../../../electron/contract/purposes/nl.ts');
    return createPurposes(modelsNl, obtainableNl);
  },
  pl: async () => {
    const { modelsPl, obtainablePl } = await import('../../../../electron/contract/purposes/pl.ts');
    return createPurposes(modelsPl, obtainablePl);
  },
  pt: async () => {
    const { modelsPtBr, obtainablePtBr } =
      await import('../../../../electron/contract/purposes/pt-BR.ts');
    return createPurposes(modelsPtBr, obtainablePtBr);
  },
  zh: async () => {
    const { modelsZhHans, obtainableZhHans } =
      await import('../../../../electron/contract/purposes/zh-Hans.ts');
    return createPurposes(modelsZhHans, obtainableZhHans);
  },
};

/** Loads the language that the command line speaks. */
export const loadPurposes = async (): Promise<Purposes> =>
  (await catalogues[primaryLanguage()]?.()) ?? createPurposes({}, {});

function createPurposes(models: Partial<ModelPurposes>, obtainable: ObtainablePurposes): Purposes {
  const known = new Map(Object.entries(models));
  const listed = new Map(Object.entries(obtainable));
  return {
    of: ({ id, description }) => known.get(id) ?? description,
    bestFor: ({ id, bestFor }) => listed.get(id)?.[0] ?? bestFor,
    summary: (model) => listed.get(model.id)?.join(' · ') ?? summaryOf(model),
  };
}
