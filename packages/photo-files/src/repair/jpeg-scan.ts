/**
 * Follows a sequential JPEG's entropy-coded data without computing pixels, to find how many of its blocks
 * arrived and where the data ends (ITU-T T.81, B.1.1.5, E.2.4 and F.2.2).
 */
import type { YieldTurn } from '../../../../electron/engine/cancellation/yield.ts';

export interface ScanComponent {
  /** Blocks of the component in one MCU of the scan. */
  blocks: number;
  dc: HuffmanTable;
  ac: HuffmanTable;
}

export interface ScanLayout {
  components: readonly ScanComponent[];
  unitsAcross: number;
  unitsDown: number;
  /** MCUs between two restart markers; 0: none. */
  restartInterval: number;
}

/** Byte ranges between entropy-coded data and the following marker. */
export type FileSpan = readonly [from: number, to: number];

export interface ScanExtent {
  /** Rows of MCUs that arrived complete. */
  rows: number;
  /** Offset of the marker after the scan, or of the end of the file. */
  end: number;
  stray: FileSpan[];
}

/** 16-bit prefix lookup: code length in the upper byte, symbol in the lower; 0: no code. */
export type HuffmanTable = Uint16Array;

/** Returns undefined for lengths that do not form a prefix code. */
export function huffmanTable(lengths: Uint8Array, symbols: Uint8Array): HuffmanTable | undefined {
  const table = new Uint16Array(1 << 16);
  let code = 0;
  let next = 0;
  for (let length = 1; length <= 16; length += 1) {
    for (let i = 0; i < (lengths[length - 1] ?? 0); i += 1) {
      const from = code << (16 - length);
      const to = (code + 1) << (16 - length);
      if (to > table.length) return undefined;
      table.fill((length << 8) | (symbols[next] ?? 0), from, to);
      code += 1;
      next += 1;
    }
    code <<= 1;
  }
  return table;
}

class DamagedScan extends Error {}
class EndedScan extends Error {}

/** Reads bits up to the next marker, skipping stuffed zeros after 0xff. */
class BitReader {
  at: number;
  readonly #bytes: Uint8Array;
  #bits = 0;
  #count = 0;
  /** Zero bits that stand in for data after the last byte. */
  #missing = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  #fill(): void {
    while (this.#count <= 16) {
      const byte = this.#bytes[this.at];
      const isMarker = byte === 0xff && this.#bytes[this.at + 1] !== 0;
      if (byte === undefined || isMarker) {
        this.#bits <<= 8;
        this.#missing += 8;
      } else {
        this.#bits = (this.#bits << 8) | byte;
        this.at += byte === 0xff ? 2 : 1;
      }
      this.#count += 8;
    }
  }

  skip(count: number): void {
    this.#fill();
    this.#count -= count;
    if (this.#count < this.#missing) throw new EndedScan();
  }

  symbol(table: HuffmanTable): number {
    this.#fill();
    const entry = table[(this.#bits >>> (this.#count - 16)) & 0xffff] ?? 0;
    if (entry === 0) throw this.#missing > 0 ? new EndedScan() : new DamagedScan();
    this.#count -= entry >> 8;
    if (this.#count < this.#missing) throw new EndedScan();
    return entry & 0xff;
  }

  /** Ends an interval and drops the padding bits of its last byte. @returns the offset of the unread bytes */
  align(): number {
    for (let unread = (this.#count - this.#missing) >> 3; unread > 0; unread -= 1) {
      const isStuffed = this.#bytes[this.at - 1] === 0 && this.#bytes[this.at - 2] === 0xff;
      this.at -= isStuffed ? 2 : 1;
    }
    this.#bits = 0;
    this.#count = 0;
    this.#missing = 0;
    return this.at;
  }
}

function followBlock(reader: BitReader, { dc, ac }: ScanComponent): void {
  const size = reader.symbol(dc);
  if (size > 16) throw new DamagedScan();
  if (size > 0) reader.skip(size);
  for (let k = 1; k < 64; k += 1) {
    const symbol = reader.symbol(ac);
    const bits = symbol & 15;
    if (bits === 0 && symbol !== 0xf0) return;
    k += symbol >> 4;
    if (k > 63) throw new DamagedScan();
    if (bits > 0) reader.skip(bits);
  }
}

/** Offset of the next marker from a position on, or of the end of the file. */
export function markerFrom(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0 || at + 1 >= bytes.length) return bytes.length;
    const code = bytes[at + 1];
    if (code !== 0 && code !== 0xff) return at;
    at += code === 0 ? 2 : 1;
  }
}

/** Follows one scan from its first byte on. @returns undefined if its codes or restart markers are damaged */
export async function followScan(
  bytes: Uint8Array,
  from: number,
  layout: ScanLayout,
  yieldTurn: YieldTurn,
): Promise<ScanExtent | undefined> {
  const { components, unitsAcross, unitsDown, restartInterval } = layout;
  const reader = new BitReader(bytes, from);
  const stray: FileSpan[] = [];
  let restarts = 0;
  let rows = 0;
  const toMarker = () => {
    const dataEnd = reader.align();
    const marker = markerFrom(bytes, dataEnd);
    // Fill bytes of 0xff may precede a marker.
    if (marker > dataEnd) stray.push([dataEnd, marker]);
    reader.at = marker;
    return marker;
  };
  try {
    for (; rows < unitsDown; rows += 1) {
      await yieldTurn();
      for (let x = 0; x < unitsAcross; x += 1) {
        const unit = rows * unitsAcross + x;
        if (restartInterval > 0 && unit > 0 && unit % restartInterval === 0) {
          const marker = toMarker();
          if (marker >= bytes.length) return { rows, end: bytes.length, stray };
          if (bytes[marker + 1] !== 0xd0 + (restarts & 7)) return undefined;
          restarts += 1;
          reader.at = marker + 2;
        }
        for (const component of components)
          for (let i = 0; i < component.blocks; i += 1) followBlock(reader, component);
      }
    }
  } catch (error) {
    if (error instanceof DamagedScan) return undefined;
    if (error instanceof EndedScan) return { rows, end: markerFrom(bytes, reader.at), stray };
    throw error;
  }
  return { rows, end: toMarker(), stray };
}
