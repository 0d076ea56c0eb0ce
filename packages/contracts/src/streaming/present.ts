/** The presence of accounts with an open connection: a sorted set of account ids by the time (ms) at which each was last seen with one. */
import { sharedKey } from '../kit/index.js'

/** Written by streaming; fan-out reads it. */
export const presentKey = sharedKey('streaming', 'present')
