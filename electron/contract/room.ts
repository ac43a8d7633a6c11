/** How much of the machine is left to other programs while networks run. */
import { Type, type Static } from 'typebox';
import { named, oneOf } from './common.ts';

const roomChoices = ['auto', 'little', 'half', 'most'] as const;
export type RoomChoice = (typeof roomChoices)[number];

export const LeaveRoom = oneOf(roomChoices, {
  default: 'auto',
  description:
    'What of the machine is left to other programs. little: what they ask for, as networks run below normal priority. half: they go first always, and have half of the processor. most: they have three quarters of it, tiles are small, and memory is given back after each photo. auto: little; as half on battery; other programs go first while a person works in them.',
});

/** PUT /api/surroundings: what only a program on the person's screen knows. It holds for two minutes. */
export const Surroundings = named('Surroundings', {
  onBattery: Type.Boolean(),
  personElsewhere: Type.Boolean({
    description: 'Whether a person works at this machine, in another program.',
  }),
});
export type Surroundings = Static<typeof Surroundings>;
