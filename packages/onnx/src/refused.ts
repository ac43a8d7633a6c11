/** Refusal of a network, with a sentence that names what was found and what can be done. */
import { EnlargerError } from '../../contract/src/errors.ts';

export const refused = (sentence: string) => new EnlargerError('MODEL_REFUSED', sentence);
