/** The presence of accounts with an open connection: a sorted set of account ids by the time (ms) at which each was last seen with one. */
import { sharedKey } from '../kit/index.js'

/** Written by streaming; fan-out reads it. */
export const presentKey = sharedKey('streaming', 'present')

/**
 * The member that says since when the set has been kept: its score is that time (ms), negative, so that it does not expire with
 * the accounts. It is missing after Redis lost its data, until streaming writes it again.
 */
export const PRESENT_SINCE = '!'

/**
 * Milliseconds after that time until every streaming process has written its accounts again. Before, and while the member is
 * missing, any account may have an open connection.
 */
export const PRESENT_SETTLES_MS = 15_000
