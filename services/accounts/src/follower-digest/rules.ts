/** Converts follower digests to their text form. */

/** Converts a PostgreSQL bit string to hexadecimal, four bits per digit. */
export const hexOfBits = (bits: string): string =>
  BigInt(`0b${bits}`)
    .toString(16)
    .padStart(bits.length / 4, '0')
