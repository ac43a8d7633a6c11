import { defaultChoices, type Choices } from '../../../packages/contract/src/settings/page.ts';
import { enlarges } from '../options/choices.ts';
import { dialNames } from '../options/dials.ts';
import { text } from '../../text/text.ts';

/** Words the dials of an enlargement that are not as usual. */
export const dialParts = (choices: Choices): string[] =>
  dialNames
    .filter((name) => enlarges(choices) && choices[name] !== defaultChoices[name])
    .map((name) => `${text[name]}: ${choices[name]}`);
