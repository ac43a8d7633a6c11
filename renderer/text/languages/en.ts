import type { Language } from '../language.ts';
import { en } from './en/en.ts';

export default {
  texts: en,
  advice: { NO_FOLDER: 'Check its path, or make the folder first.' },
} satisfies Language;
