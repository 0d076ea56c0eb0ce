/** Presence: a Redis sorted set of account ids. The score is the time (ms) at which the account last had an open connection. */
import { sharedKey } from '../kit/index.js'

/** Key of the set. The streaming service writes it, and the fan-out of statuses reads it. */
export const presentKey = sharedKey('streaming', 'present')

/**
 * Member whose score is the negative time (ms) since when the set is complete. The score is negative, so that the
 * member does not expire with the accounts. The member is missing after Redis lost its data, until streaming writes it
 * again.
 */
export const PRESENT_SINCE = '!'

/**
 * Milliseconds after that time until every streaming process has written its accounts. Before that time, and while the
 * member is missing, every account counts as connected.
 */
export const PRESENT_SETTLES_MS = 15_000
