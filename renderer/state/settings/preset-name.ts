/** Names the presets that ship in the reader's language. */
import { en } from '../../text/languages/en/en.ts';
import { text } from '../../text/text.ts';

/** The presets that ship, by their ids; their names are the English ones. */
const shippedNames: Readonly<Record<string, 'presetWeb' | 'presetPrint' | 'shopPicture'>> = {
  'shipped-1': 'presetWeb',
  'shipped-2': 'presetPrint',
  'shipped-3': 'shopPicture',
};

/** A preset's name; of one that ships in the reader's language, until a person renames it. */
export function presetName({ id, name }: { id: string; name: string }): string {
  const shipped = shippedNames[id];
  return shipped !== undefined && en[shipped] === name ? text[shipped] : name;
}
