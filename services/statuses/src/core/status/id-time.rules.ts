/** Ids contain their time (milliseconds ≪ 16), so that a span of time is a range of ids. */

const MAX_ID = 2n ** 63n - 1n

/** The smallest id of a time in milliseconds: 0 before 1970, and the largest id for infinity. */
export const idAt = (ms: number): string =>
  ms === Number.POSITIVE_INFINITY ? String(MAX_ID) : ((BigInt(Math.max(ms, 0)) << 16n) & MAX_ID).toString()
