import { OwnWords } from '../../contract/faults.ts';

/** The pool did not do a job, for a reason that is not the picture's: it is done elsewhere. */
export class NotDone extends OwnWords {}
