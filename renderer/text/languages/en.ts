import { en } from './en/en.ts';
import type { Language } from '../language.ts';

export default { name: 'English', texts: en } satisfies Language;
