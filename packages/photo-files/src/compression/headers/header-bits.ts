/** Reads bit fields of codec headers. */

/** Creates a reader, most significant bit first. @throws RangeError when reading beyond the end */
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
