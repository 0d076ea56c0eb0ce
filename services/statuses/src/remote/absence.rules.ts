/**
 * Rules of remote statuses that their server does not find. A single 404 may be a mistake; after repeated 404s the
 * status is deleted.
 */

const HOUR_MS = 3_600_000

/** Waits in milliseconds after the first and second consecutive 404. */
const waits = [HOUR_MS, 23 * HOUR_MS]

/**
 * Milliseconds until a status is requested again of which a group announced the deletion, but which its server still has. The
 * deletion may reach that server later than this one.
 */
export const ANNOUNCED_WAIT_MS = 600_000

/** Milliseconds until the next check after `times` consecutive 404s; null if the status counts as deleted. */
export const waitAfter = (times: number): number | null => waits[times - 1] ?? null
