/** Accounts with an open connection, as streaming records them in Redis. */
import { keyspace, type Redis } from '@murmuration/cache'
import { PRESENT_SETTLES_MS, PRESENT_SINCE, presentKey } from '@murmuration/contracts/streaming'

const DAY_MS = 86_400_000

/** When accounts were last seen with an open connection; streaming owns the key. */
const PRESENT = keyspace(presentKey.owner)(presentKey.name)

/** Accounts that have an open connection, or had one since then (ms), as far as that is known. */
export const presentAmong = async (redis: Redis, accounts: readonly string[], since: number): Promise<string[]> => {
  if (accounts.length === 0) return []
  const scores = await redis.soft((client) => client.zmScore(PRESENT, [...accounts]), [])
  return accounts.filter((_, i) => Number(scores[i] ?? 0) > since)
}

/**
 * Accounts that may have an open connection now, or had one within a day. All of them while presence is not known:
 * Redis is away, or lost its data a moment ago.
 */
export const listenersAmong = async (redis: Redis, accounts: readonly string[], now: number): Promise<string[]> => {
  if (accounts.length === 0) return []
  const scores = await redis.soft((client) => client.zmScore(PRESENT, [PRESENT_SINCE, ...accounts]), null)
  if (scores === null) return [...accounts]
  const [since, ...seen] = scores
  if (since === null || since === undefined || -since > now - PRESENT_SETTLES_MS) return [...accounts]
  return accounts.filter((_, i) => Number(seen[i] ?? 0) > now - DAY_MS)
}
