import { adviceDe } from '../de-advice.ts';
import { modelsDe } from '../de-models.ts';
import { de } from '../de.ts';
import type { Language } from '../language.ts';

export default {
  name: 'Deutsch',
  texts: de,
  advice: adviceDe,
  models: modelsDe,
} satisfies Language;
