/** How pictures are looked at: the same for every photo, remembered by the browser. */

export const compareModes = ['slider', 'side', 'result'] as const;
/** slider: both in one place under a divider. side: beside each other. result: the result alone. */
export type CompareMode = (typeof compareModes)[number];

/** What lies behind a cut-out: a pattern, or a colour such as #ffffff. */
export type Ground = 'checker' | `#${string}`;

const storageName = 'enlarger.look';

interface Stored {
  mode: CompareMode;
  ground: Ground;
  /** The last one that was picked by eye. */
  ownGround: `#${string}`;
}

const defaults: Stored = { mode: 'slider', ground: 'checker', ownGround: '#3c7a4b' };

export class Look {
  readonly #stored = $state<Stored>(readStored());
  /** While the key or the button is held, the source alone is shown. */
  holdsBefore = $state(false);
  /** A click on the picture tries the models on that place. */
  isTrying = $state(false);

  get mode(): CompareMode {
    return this.#stored.mode;
  }

  set mode(mode: CompareMode) {
    this.#stored.mode = mode;
    this.#remember();
  }

  get ground(): Ground {
    return this.#stored.ground;
  }

  set ground(ground: Ground) {
    this.#stored.ground = ground;
    this.#remember();
  }

  get ownGround(): `#${string}` {
    return this.#stored.ownGround;
  }

  /** Any colour, as a colour field gives it: #rrggbb. */
  pickGround(colour: string): void {
    if (!isColour(colour)) return;
    this.#stored.ownGround = colour;
    this.ground = colour;
  }

  nextMode(): void {
    const at = compareModes.indexOf(this.mode);
    this.mode = compareModes[(at + 1) % compareModes.length] ?? 'slider';
  }

  #remember(): void {
    localStorage.setItem(storageName, JSON.stringify(this.#stored));
  }
}

export function isColour(text: string): text is `#${string}` {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** What was stored, field by field: an older page may have written other words. */
function readStored(): Stored {
  const stored = parse(localStorage.getItem(storageName) ?? '{}');
  const { mode, ground, ownGround } = stored;
  return {
    mode: compareModes.find((known) => known === mode) ?? defaults.mode,
    ground: isGround(ground) ? ground : defaults.ground,
    ownGround:
      typeof ownGround === 'string' && isColour(ownGround) ? ownGround : defaults.ownGround,
  };
}

function isGround(value: unknown): value is Ground {
  return value === 'checker' || (typeof value === 'string' && isColour(value));
}

function parse(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return {};
  }
}
