/** Reads the numbers of a compressed picture's header bit by bit, as codecs write them. */

/** Creates a reader, in which a byte's highest bit is first. Reading beyond the end throws a RangeError. */
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

/** Calls `read`, and gives undefined where a header, or a box on the way to it, is not whole. */
export function unlessCutShort<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
