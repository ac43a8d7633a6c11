/** What an architecture's file gives to the registry. */
import type { Build, State } from './state.ts';

export interface Architecture {
  name: string;
  /** Whether the names of the weights are its own. */
  recognises(state: State): boolean;
  /** Adds its nodes behind `input` and answers what comes out. Throws MODEL_REFUSED. */
  build(build: Build, input: string): BuiltNetwork;
}

export interface BuiltNetwork {
  output: string;
  channels: { input: number; output: number };
}
