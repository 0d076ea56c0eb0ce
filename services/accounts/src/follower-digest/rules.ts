/** Digests of followers as they travel. */

/** Bits as PostgreSQL writes them, as hex letters: four bits a letter. */
export const hexOfBits = (bits: string): string =>
  BigInt(`0b${bits}`)
    .toString(16)
    .padStart(bits.length / 4, '0')
