/** Progress of an import: a network is read, then tried out until its tensor contract is known. */
import { Type, type Static } from 'typebox';
import { named, oneOf } from '../common.ts';

const importSteps = ['waiting', 'reading', 'trying'] as const;

export const ImportProgress = named('ImportProgress', {
  step: oneOf(importSteps, {
    description:
      'waiting: another import goes first; reading: the files are read; trying: the network runs on test pictures to find how it is used.',
  }),
  runs: Type.Integer({ minimum: 0, description: 'Test runs so far.' }),
  maxRuns: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Most test runs altogether. Absent: not known.' }),
  ),
  secondsLeft: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Time of the remaining test runs, by those so far. Absent: not known.',
    }),
  ),
});
export type ImportProgress = Static<typeof ImportProgress>;
export type OnImportProgress = (progress: ImportProgress) => void;
