/** Reads which accounts have an open connection, as streaming records them in Redis. */
import { keyspace, type Redis } from '@murmuration/cache'
import { PRESENT_COMPLETE_MS, PRESENT_SINCE, presentKey } from '@murmuration/contracts/streaming'

const DAY_MS = 86_400_000

/** Redis sorted set of accounts with an open connection, by time last seen. The streaming service owns it. */
const PRESENT = keyspace(presentKey.owner)(presentKey.name)

/** The given accounts with an open connection after `since` (milliseconds); empty if Redis is unavailable. */
export const presentAmong = async (redis: Redis, accounts: readonly string[], since: number): Promise<string[]> => {
  if (accounts.length === 0) return []
  const scores = await redis.withFallback((client) => client.zmScore(PRESENT, [...accounts]), [])
  return accounts.filter((_, i) => Number(scores[i] ?? 0) > since)
}

/**
 * The given accounts that have an open connection or had one within a day. Returns all accounts while presence is
 * unknown: Redis is unavailable or recently lost its data.
 */
export const listenersAmong = async (redis: Redis, accounts: readonly string[], now: number): Promise<string[]> => {
  if (accounts.length === 0) return []
  const scores = await redis.withFallback((client) => client.zmScore(PRESENT, [PRESENT_SINCE, ...accounts]), null)
  if (scores === null) return [...accounts]
  const [since, ...seen] = scores
  if (since === null || since === undefined || -since > now - PRESENT_COMPLETE_MS) return [...accounts]
  return accounts.filter((_, i) => Number(seen[i] ?? 0) > now - DAY_MS)
}
