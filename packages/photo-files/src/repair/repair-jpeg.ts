/**
 * Repairs JPEGs whose pixels are complete but whose structure breaks T.81 or JFIF in a way that makes libjpeg
 * warn, as written by some cameras' and scanners' firmware. The repaired bytes decode without a warning.
 */
import { part } from '../../../contract/src/notes/notes.ts';
import {
  endOfImage,
  readSegment,
  segmentHeadBytes,
  startOfScan,
} from '../../../file-records/src/index.ts';
import type { YieldTurn } from '../../../../electron/engine/cancellation/yield.ts';
import {
  followScan,
  huffmanTable,
  markerFrom,
  type HuffmanTable,
  type ScanComponent,
  type FileSpan,
} from './jpeg-scan.ts';

export type JpegRepairOutcome =
  | { kind: 'repaired'; parts: Uint8Array[]; faults: string[] }
  | { kind: 'cut'; rows: number; height: number };

interface FrameComponent {
  id: number;
  across: number;
  down: number;
  /** Lowest bit that has arrived of each coefficient; undefined: none. */
  lowestBits: (number | undefined)[];
}

interface JpegFrame {
  isProgressive: boolean;
  width: number;
  height: number;
  components: FrameComponent[];
}

const faults = {
  stray: part('STRAY_BYTES'),
  jfif: part('JFIF_VERSION'),
  adobe: part('ADOBE_CODE'),
  scan: part('SCAN_HEADER'),
  end: part('END_MARKER'),
};

/** Bytes that may follow a scan's data as firmware padding. */
const maxStrayBytes = 16;

/** Structural segments must have exactly the length that their content needs; others may have any length. */
function isConsistent(marker: number, payload: Uint8Array): boolean {
  if (marker === 0xdb) return tablesEnd(payload, (kind) => 65 + (kind >> 4) * 64);
  if (marker === 0xc4)
    return tablesEnd(
      payload,
      (_, at) => 17 + payload.subarray(at + 1, at + 17).reduce((sum, n) => sum + n, 0),
    );
  if (marker === 0xdd) return payload.length === 2;
  return true;
}

function tablesEnd(payload: Uint8Array, sizeOf: (kind: number, at: number) => number): boolean {
  let at = 0;
  while (at < payload.length) at += sizeOf(payload[at] ?? 0, at);
  return at === payload.length;
}

const startsWith = (payload: Uint8Array, text: string) =>
  Buffer.from(payload.subarray(0, text.length)).toString('latin1') === text;

/**
 * Examines a JPEG of which libjpeg warned.
 *
 * @returns its repaired bytes, or how much of a truncated file arrived; undefined if its data are damaged or
 *   nothing was found to repair
 */
export async function repairJpeg(
  file: Buffer,
  yieldTurn: YieldTurn,
): Promise<JpegRepairOutcome | undefined> {
  return new JpegRepair(file, yieldTurn).run();
}

class JpegRepair {
  readonly #file: Buffer;
  /** Changes to a copy; the source's bytes stay. */
  readonly #patches: { at: number; byte: number }[] = [];
  readonly #removed: FileSpan[] = [];
  readonly #found = new Set<string>();
  readonly #yieldTurn: YieldTurn;
  readonly #tables = new Map<number, HuffmanTable>();
  #frame: JpegFrame | undefined;
  #restartInterval = 0;
  #lastMarker = 0;
  #lastPayload: Uint8Array = new Uint8Array();
  #scanned = new Set<number>();

  constructor(file: Buffer, yieldTurn: YieldTurn) {
    this.#file = file;
    this.#yieldTurn = yieldTurn;
  }

  async run(): Promise<JpegRepairOutcome | undefined> {
    const file = this.#file;
    let at = 2;
    for (;;) {
      const marker = markerFrom(file, at);
      if (marker > at && !this.#skipStray(at, marker)) return undefined;
      if (marker >= file.length) return this.#endWithoutMarker();
      const code = file[marker + 1] ?? 0;
      if (code === endOfImage) return this.#whole(marker + 2);
      const segment = readSegment(file.subarray(marker, marker + segmentHeadBytes), marker);
      if (!segment || segment.end > file.length) return undefined;
      const { end } = segment;
      const payload = file.subarray(segment.at, end);
      if (!isConsistent(code, payload)) return undefined;
      this.#lastMarker = code;
      this.#lastPayload = payload;
      if (code === startOfScan) {
        const next = await this.#scan(payload, segment.at, end);
        if (typeof next !== 'number') return next;
        at = next;
      } else {
        if (!this.#segment(code, payload, segment.at)) return undefined;
        at = end;
      }
    }
  }

  /** Drops bytes before a marker, unless they may be the rest of a profile with a wrong length. */
  #skipStray(from: number, to: number): boolean {
    const stray = this.#file.subarray(from, to);
    if (stray.every((byte) => byte === 0xff)) return true;
    const isBehindProfile =
      this.#lastMarker === 0xe2 && startsWith(this.#lastPayload, 'ICC_PROFILE\0');
    if (isBehindProfile && !stray.every((byte) => byte === 0)) return false;
    this.#removed.push([from, to]);
    this.#found.add(faults.stray);
    return true;
  }

  #patch(at: number, byte: number, fault: string): void {
    if (this.#file[at] === byte) return;
    this.#patches.push({ at, byte });
    this.#found.add(fault);
  }

  /** Interprets a segment. @returns false for kinds that cannot be followed */
  #segment(code: number, payload: Buffer, at: number): boolean {
    if (code === 0xe0 && startsWith(payload, 'JFIF\0')) {
      this.#patch(at + 5, 1, faults.jfif);
    } else if (code === 0xee && startsWith(payload, 'Adobe') && payload.length >= 12) {
      const transform = payload[11] ?? 0;
      const isFour = this.#frame?.components.length === 4;
      if (transform > 2) this.#patch(at + 11, isFour ? 2 : 1, faults.adobe);
    } else if (code === 0xc4) return this.#readTables(payload);
    else if (code === 0xdd) this.#restartInterval = payload.readUInt16BE(0);
    else if (code >= 0xc0 && code <= 0xcf && code !== 0xc8 && code !== 0xcc)
      return this.#readFrame(code, payload);
    return code !== 0xcc;
  }

  #readTables(payload: Buffer): boolean {
    let at = 0;
    while (at < payload.length) {
      const lengths = payload.subarray(at + 1, at + 17);
      const count = lengths.reduce((sum, n) => sum + n, 0);
      const table = huffmanTable(lengths, payload.subarray(at + 17, at + 17 + count));
      if (!table) return false;
      this.#tables.set(payload[at] ?? 0, table);
      at += 17 + count;
    }
    return true;
  }

  #readFrame(code: number, payload: Buffer): boolean {
    if (code > 0xc2 || this.#frame || payload.length < 6) return false;
    const count = payload[5] ?? 0;
    if (count === 0 || count > 4 || payload.length !== 6 + 3 * count) return false;
    const components = Array.from({ length: count }, (_, i): FrameComponent => {
      const sampling = payload[7 + 3 * i] ?? 0;
      return {
        id: payload[6 + 3 * i] ?? 0,
        across: sampling >> 4,
        down: sampling & 15,
        lowestBits: new Array<number | undefined>(64).fill(undefined),
      };
    });
    const isSampled = components.every(
      ({ across, down }) => across >= 1 && across <= 4 && down >= 1 && down <= 4,
    );
    const height = payload.readUInt16BE(1);
    const width = payload.readUInt16BE(3);
    if (!isSampled || width < 1 || height < 1) return false;
    this.#frame = { isProgressive: code === 0xc2, width, height, components };
    return true;
  }

  /** Follows a scan. @returns the offset of the next marker, or the outcome of the examination */
  async #scan(
    payload: Buffer,
    at: number,
    from: number,
  ): Promise<number | JpegRepairOutcome | undefined> {
    const frame = this.#frame;
    const count = payload[0] ?? 0;
    if (!frame || count < 1 || count > 4 || payload.length !== 4 + 2 * count) return undefined;
    const chosen = Array.from({ length: count }, (_, i) => {
      const component = frame.components.find(({ id }) => id === payload[1 + 2 * i]);
      return component && { component, tables: payload[2 + 2 * i] ?? 0 };
    }).flatMap((one) => one ?? []);
    if (chosen.length !== count) return undefined;
    const parameters = at + 1 + 2 * count;
    if (frame.isProgressive) {
      const [first = 0, last = 0, bits = 0] = payload.subarray(1 + 2 * count);
      for (const { component } of chosen) component.lowestBits.fill(bits & 15, first, last + 1);
      return scanEnd(this.#file, from);
    }
    // Samsung's firmware writes a last coefficient of 0, as if the scan had no detail.
    this.#patch(parameters, 0, faults.scan);
    this.#patch(parameters + 1, 63, faults.scan);
    this.#patch(parameters + 2, 0, faults.scan);
    const layout = this.#layoutOf(frame, chosen);
    if (!layout) return undefined;
    const { isAlone, unitHeight } = layout;
    const followed = await followScan(this.#file, from, layout, this.#yieldTurn);
    if (!followed) return undefined;
    if (followed.rows < layout.unitsDown)
      return {
        kind: 'cut',
        rows: Math.min(frame.height, followed.rows * unitHeight),
        height: frame.height,
      };
    for (const range of followed.stray) {
      const stray = this.#file.subarray(...range);
      if (stray.every((byte) => byte === 0xff)) continue;
      // A large excess means that the frame claims to be smaller than its data.
      if (stray.length > maxStrayBytes && !stray.every((byte) => byte === 0)) return undefined;
      this.#removed.push(range);
      this.#found.add(faults.stray);
    }
    for (const { component } of isAlone ? chosen.slice(0, 1) : chosen) {
      if (this.#scanned.has(component.id)) return undefined;
      this.#scanned.add(component.id);
    }
    return followed.end;
  }

  #layoutOf(frame: JpegFrame, chosen: { component: FrameComponent; tables: number }[]) {
    const maxAcross = Math.max(...frame.components.map(({ across }) => across));
    const maxDown = Math.max(...frame.components.map(({ down }) => down));
    const isAlone = chosen.length === 1;
    const components = chosen.flatMap(({ component, tables }): ScanComponent[] => {
      const dc = this.#tables.get(tables >> 4);
      const ac = this.#tables.get(0x10 | (tables & 15));
      return dc && ac ? [{ blocks: isAlone ? 1 : component.across * component.down, dc, ac }] : [];
    });
    const [first] = chosen;
    if (components.length !== chosen.length || !first) return undefined;
    const { across, down } = first.component;
    // A scan of one component has MCUs of one block, and none outside the picture.
    const unitWidth = isAlone ? (8 * maxAcross) / across : 8 * maxAcross;
    const unitHeight = isAlone ? (8 * maxDown) / down : 8 * maxDown;
    return {
      components,
      unitsAcross: Math.ceil(frame.width / unitWidth),
      unitsDown: Math.ceil(frame.height / unitHeight),
      restartInterval: this.#restartInterval,
      isAlone,
      unitHeight,
    };
  }

  #endWithoutMarker(): JpegRepairOutcome | undefined {
    const { file, frame } = { file: this.#file, frame: this.#frame };
    if (!frame) return undefined;
    const isWhole = frame.isProgressive
      ? frame.components.every(({ lowestBits }) => lowestBits.every((bit) => bit === 0))
      : frame.components.every(({ id }) => this.#scanned.has(id));
    if (!isWhole) return undefined;
    this.#found.add(faults.end);
    return this.#whole(file.length, Buffer.from([0xff, 0xd9]));
  }

  #whole(end: number, added?: Buffer): JpegRepairOutcome | undefined {
    const frame = this.#frame;
    if (!frame || this.#found.size === 0) return undefined;
    if (!frame.isProgressive && frame.components.some(({ id }) => !this.#scanned.has(id)))
      return undefined;
    const copy = Buffer.from(this.#file.subarray(0, end));
    for (const { at, byte } of this.#patches) copy[at] = byte;
    const parts: Uint8Array[] = [];
    let from = 0;
    for (const [start, stop] of this.#removed.filter(([start]) => start < end)) {
      parts.push(copy.subarray(from, start));
      from = stop;
    }
    parts.push(copy.subarray(from));
    if (added) parts.push(added);
    return { kind: 'repaired', parts, faults: [...this.#found] };
  }
}

/** Finds the marker after a progressive scan, whose data may contain restart markers. */
function scanEnd(file: Buffer, from: number): number {
  let at = markerFrom(file, from);
  while (at < file.length && (file[at + 1] ?? 0) >= 0xd0 && (file[at + 1] ?? 0) <= 0xd7)
    at = markerFrom(file, at + 2);
  return at;
}
