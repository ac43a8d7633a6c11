import type { Language } from '../language.ts';
import { en } from './en/en.ts';

export default { texts: en } satisfies Language;
