/** Redis commands of the rate limits of `request-limits.ts`. Without Redis, the limits of each process apply alone. */
import type { Redis } from '@murmuration/cache'

/**
 * Adds a host to the set under a key, which expires after `seconds` seconds. Returns the number of hosts in the set; null if
 * Redis does not respond.
 */
export const addHost = (redis: Redis, key: string, host: string, seconds: number): Promise<number | null> =>
  redis.withFallback<number | null>(async (client) => {
    const [, hosts] = (await client
      .multi()
      .sAdd(key, host)
      .sCard(key)
      .expire(key, seconds)
      .execAsPipeline()) as unknown as number[]
    return Number(hosts)
  }, null)

/** Sets a mark for `seconds` seconds. Returns false if the mark is set already, and true if Redis does not respond. */
export const setMark = async (redis: Redis, key: string, seconds: number): Promise<boolean> => {
  const response = await redis.withFallback<string | null>(
    (client) => client.set(key, '1', { NX: true, EX: seconds }) as Promise<string | null>,
    'OK',
  )
  return response === 'OK'
}
