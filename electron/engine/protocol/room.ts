/** The part of the machine that a job may take. */
import type { RoomChoice, Surroundings } from '../../contract/settings/settings.ts';

export interface Room {
  /** The threads of a network on the CPU; absent: as many as were measured to be worth it. */
  threads?: number;
  /** It tells whether the process has the lowest priority, so that other programs always go first. */
  isLast: boolean;
  /** It tells whether tiles are small and memory is given back after each picture. */
  isSmall: boolean;
}

/** What a person chose, and what is known of the machine's state. */
export interface RoomAsked {
  leave: RoomChoice;
  around: Surroundings;
}
