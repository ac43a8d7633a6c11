/** Chooses the language of menus, tray, notifications and dialogs. The page has a catalogue of its own. */
import { de } from './texts/de.ts';
import { en, type Text } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { it } from './texts/it.ts';
import { ja } from './texts/ja.ts';
import { nl } from './texts/nl.ts';
import { pl } from './texts/pl.ts';
import { pt } from './texts/pt-BR.ts';
import { zh } from './texts/zh-Hans.ts';

export type { Text } from './texts/en.ts';

/** By the primary subtag, as the page chooses: pt-PT is shown pt-BR. */
const texts: Readonly<Record<string, Text>> = { de, en, es, fr, it, ja, nl, pl, pt, zh };

/** @param languages preferred first, e.g. de-CH */
export function textFor(languages: readonly string[]): Text {
  const primary = languages.map((language) => language.split('-', 1)[0]?.toLowerCase() ?? '');
  const known = primary.find((one) => Object.hasOwn(texts, one));
  return texts[known ?? 'en'] ?? en;
}
