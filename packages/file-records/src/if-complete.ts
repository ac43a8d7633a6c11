/** Returns undefined if `read` runs beyond the end of a header, box or block of bytes (a RangeError). */
export function ifComplete<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
