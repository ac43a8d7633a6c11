import type { Language } from '../language.ts';
import { en } from './en/en.ts';

export default {
  texts: en,
  advice: {
    NO_FOLDER: 'Check its path, or make the folder first.',
    OFFLINE: 'The page connects again as soon as the service runs.',
  },
} satisfies Language;
