/** What models are for, in other languages than English, for the page and the command line. */

/** The models that ship, by their ids in models/catalogue.json. */
export type ModelPurposes = Readonly<
  Record<'natural' | 'detail' | 'faithful' | 'restore' | 'cutout', string>
>;

/**
 * The models that can be downloaded, by their ids in models/obtainable.json: what each is best for, without a full
 * stop, and what else is to be known.
 */
export type ObtainablePurposes = Readonly<Record<string, readonly [bestFor: string, more: string]>>;
