/** How far a job is and how long it will take: tiles over all passes, decoding and encoding weighed in. */
import type { JobProgress, Step } from './protocol.ts';

/** Shares of the whole that decoding and encoding are taken for. */
const decodeShare = 0.04;
const encodeShare = 0.1;
/** Output megapixels encoded a second while nothing was measured. */
const assumedEncodeSpeed = 40;

/** The same words are said again after this. */
const repeatMs = 250;

export interface ProgressOptions {
  /** Input megapixels of each pass, in order. */
  passMegapixels: number[];
  outputMegapixels: number;
  /** Megapixels a second of a pass, as measured on past tasks. */
  knownSpeed: (pass: number) => number | undefined;
  /** `nextWithinMs`: after how much silence the job counts as hung. */
  emit: (progress: JobProgress, nextWithinMs: number) => void;
}

export interface Progress {
  enter(step: Step, nextWithinMs: number): void;
  /** Says again where the job is: a sign of life. */
  stillAlive(nextWithinMs: number): void;
  beginPass(pass: number, seconds: number | undefined): void;
  tile(done: number, total: number, nextWithinMs: number): void;
  /** Where the tiles of the pass begin, for the watch. */
  readonly percent: number;
}

export function createProgress(options: ProgressOptions): Progress {
  const { passMegapixels, emit } = options;
  const all = passMegapixels.reduce((sum, megapixels) => sum + megapixels, 0);
  const state = { step: 'decode' as Step, percent: 0, pass: 0, share: 0, passStart: 0 };
  let said = { words: '', atMs: 0 };
  const seconds = passMegapixels.map((megapixels, pass) => {
    const speed = options.knownSpeed(pass);
    return speed ? megapixels / speed : undefined;
  });

  /** Says what changed; the same again only now and then, as a sign of life. */
  function say(nextWithinMs: number): void {
    state.percent = Math.max(state.percent, Math.min(99, Math.floor(100 * fraction())));
    const eta = etaSeconds();
    const { step, percent } = state;
    const words = `${step} ${percent} ${eta ?? ''}`;
    if (words === said.words && performance.now() - said.atMs < repeatMs) return;
    said = { words, atMs: performance.now() };
    emit({ step, percent, ...(eta !== undefined && { etaSeconds: eta }) }, nextWithinMs);
  }

  function fraction(): number {
    const network = 1 - decodeShare - encodeShare;
    if (state.step === 'decode') return 0;
    if (state.step === 'encode') return 1 - encodeShare;
    const before = passMegapixels.slice(0, state.pass).reduce((sum, value) => sum + value, 0);
    const within = before + state.share * (passMegapixels[state.pass] ?? 0);
    return decodeShare + (network * within) / all;
  }

  function etaSeconds(): number | undefined {
    const encode = options.outputMegapixels / assumedEncodeSpeed;
    if (state.step === 'encode') return Math.ceil(encode);
    let sum = encode;
    for (let pass = state.pass; pass < passMegapixels.length; pass += 1) {
      const whole = seconds[pass];
      if (whole === undefined) return undefined;
      sum += pass === state.pass ? whole * (1 - state.share) : whole;
    }
    return Math.ceil(sum);
  }

  /** Once some tiles ran, their own time tells more than past tasks. */
  function learn(): void {
    if (state.share < 0.05) return;
    const spent = (performance.now() - state.passStart) / 1000;
    seconds[state.pass] = spent / state.share;
  }

  return {
    get percent() {
      return state.percent;
    },
    enter(step, nextWithinMs) {
      state.step = step;
      say(nextWithinMs);
    },
    stillAlive: say,
    beginPass(pass, known) {
      Object.assign(state, { step: 'network', pass, share: 0, passStart: performance.now() });
      seconds[pass] = known ?? seconds[pass];
    },
    tile(done, total, nextWithinMs) {
      state.share = done / total;
      learn();
      say(nextWithinMs);
    },
  };
}
