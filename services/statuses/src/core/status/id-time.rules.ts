/** Ids carry their time (milliseconds ≪ 16), so that spans of time are spans of ids. */

const MAX_ID = 2n ** 63n - 1n

/** The smallest id of a moment in milliseconds; before 1970 that of 1970, and the largest id for no end. */
export const idAt = (ms: number): string =>
  ms === Number.POSITIVE_INFINITY ? String(MAX_ID) : ((BigInt(Math.max(ms, 0)) << 16n) & MAX_ID).toString()
