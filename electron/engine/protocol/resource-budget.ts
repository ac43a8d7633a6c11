/** The share of the machine that a job may use. */
import type {
  ReserveChoice,
  PowerAndActivity,
} from '../../../packages/contract/src/settings/settings.ts';

export interface ResourceBudget {
  /** Threads of a network on the CPU; absent: as many as were measured to be worthwhile. */
  threads?: number;
  /** Whether the process runs at the lowest priority. */
  hasLowestPriority: boolean;
  /** Whether tiles are small and memory is freed after each picture. */
  savesMemory: boolean;
}

/** The user's choice and the state of the machine. */
export interface ResourceBudgetInput {
  leave: ReserveChoice;
  around: PowerAndActivity;
}
