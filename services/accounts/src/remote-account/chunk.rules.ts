/** Decides which remote accounts a chunk of a task fetches, and which ones may no longer exist. */

/** Maximum number of profiles that one chunk fetches, in total and per server. With these limits, a chunk ends within two minutes even if no server responds. */
export const MAX_OF_CHUNK = 40
export const MAX_OF_HOST = 30
/** Pause in milliseconds (a minute) after a chunk that reached the limit of one server. The limit of requests to a server is per minute. */
export const CHUNK_PAUSE_MS = 60_000
const WEEK_MS = 7 * 86_400_000

export interface Suspect {
  id: string
  domain: string | null
  fetched_at: Date | null
  fetch_failures: number
}

/** Whether an account may no longer exist: its server has not confirmed it within a week. */
export const isSuspect = (row: Suspect, now: number): boolean =>
  row.domain !== null &&
  (row.fetch_failures > 0 || row.fetched_at === null || now - row.fetched_at.getTime() >= WEEK_MS)
