/** The numbers of a compressed picture's header, bit by bit, as codecs write them. */

/** The highest bit of a byte comes first. What reads throws a RangeError behind the end. */
export function readBits(bytes: Buffer) {
  let at = 0;
  const number = (bits: number): number => {
    let value = 0;
    for (let i = 0; i < bits; i += 1, at += 1) {
      const byte = bytes[at >> 3];
      if (byte === undefined) throw new RangeError('The header ends too early');
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1);
    }
    return value;
  };
  return { number, isSet: () => number(1) === 1 };
}

export type Bits = ReturnType<typeof readBits>;

/** Undefined where a header, or what leads to it, is not whole. */
export function unlessCutShort<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
