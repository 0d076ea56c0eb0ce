/** Presence: a Redis sorted set of account ids. The score is the time (ms) at which the account last had an open connection. */
import { sharedKey } from '../kit/index.js'

/** Redis key of the presence set. The streaming service writes the set, and the fan-out of statuses reads it. */
export const presentKey = sharedKey('streaming', 'present')

/**
 * Member of the presence set that shows since when the set is complete. Its score is the negative time (ms), so that it
 * does not expire with the accounts. If Redis lost its data, the member is missing until the streaming service writes
 * it again.
 */
export const PRESENT_SINCE = '!'

/**
 * Milliseconds after the time of PRESENT_SINCE until every streaming process has written its accounts. Until then, and
 * while PRESENT_SINCE is missing, every account counts as connected.
 */
export const PRESENT_COMPLETE_MS = 15_000
