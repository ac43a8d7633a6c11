/** Messages between the benchmark and the process that runs networks in plain onnxruntime-node. */

/** One way to run a network file. */
export interface Settings {
  provider: 'cpu' | 'webgpu' | 'cuda';
  /** Undefined: onnxruntime's own choice. */
  threads?: number;
  /** Whether waiting threads spin, which is onnxruntime's default. */
  spins: boolean;
  /** Whether a tile is computed in strips of some rows, each of which gets the preceding one's last rows. */
  inStrips: boolean;
}

export interface BareNetwork {
  path: string;
  input: string;
  output: string;
  layout: 'NCHW' | 'NHWC';
  scale: number;
  marginPx: number;
}

/** A tile of `width` x `height` pixels, margins included. */
export interface Tile {
  settings: Settings;
  width: number;
  height: number;
}

export type BareRequest = { network: BareNetwork } & (
  | {
      /** Runs every tile once as a warm-up, then all of them alternately. */
      compare: Tile[];
      rounds: number;
    }
  | {
      /** Runs one tile `count` times, after a warm-up. */
      repeat: Tile;
      count: number;
    }
);

export interface BareCost {
  seconds: number;
  /** Processor time of all threads. */
  cpuSeconds: number;
}

/** Median seconds of each compared tile (Infinity: it failed), or the cost of the repeated one. */
export type BareReply = { medians: number[] } | { cost: BareCost } | { error: string };
