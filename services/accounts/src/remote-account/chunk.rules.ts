/** Which remote accounts are asked for in one chunk, and which ones are suspected to be gone. */

/** Requests for profiles in one chunk, and of these for profiles of one server. A chunk takes less than two minutes. */
export const MOST_OF_CHUNK = 40
export const MOST_OF_HOST = 30
/** Pause after a chunk that was cut because of one server: its share of requests is per minute. */
export const SHARE_PAUSE_MS = 60_000
const WEEK_MS = 7 * 86_400_000

export interface Suspect {
  id: string
  domain: string | null
  fetched_at: Date | null
  fetch_failures: number
}

/** True unless its server confirmed the account within a week. */
export const isSuspect = (row: Suspect, now: number): boolean =>
  row.domain !== null &&
  (row.fetch_failures > 0 || row.fetched_at === null || now - row.fetched_at.getTime() >= WEEK_MS)
