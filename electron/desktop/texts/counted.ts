/** Words for a number in its plural form. */
type PluralForm = Exclude<Intl.LDMLPluralRule, 'zero' | 'two'>;

/** Returns a function that picks the form of a number as the language counts; `other` stands in for others. */
export function countedIn(tag: string) {
  const rules = new Intl.PluralRules(tag);
  return (
    count: number,
    forms: Partial<Record<PluralForm, string>> & { other: string },
  ): string => {
    const form = rules.select(count);
    return (form === 'zero' || form === 'two' ? undefined : forms[form]) ?? forms.other;
  };
}
