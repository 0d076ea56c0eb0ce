/** Remote statuses that their server does not find: one such answer may be a mistake, absence that lasts is the end. */

const HOUR_MS = 3_600_000

/** Waits after the first, second … answer in a row that it is not there. */
const waits = [HOUR_MS, 23 * HOUR_MS]

/** How long after so many of them it is asked for again; null when it counts as gone. */
export const waitAfter = (times: number): number | null => waits[times - 1] ?? null
