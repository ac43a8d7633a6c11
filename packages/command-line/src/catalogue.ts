/** The shape of a language of the command line. */

/** A sentence that has a count has a form for each plural of its language (Intl.PluralRules). */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
/** Translations by their English sentence; where it has a count, by the English plural. */
export type Catalogue = Readonly<Record<string, string | PluralForms>>;
