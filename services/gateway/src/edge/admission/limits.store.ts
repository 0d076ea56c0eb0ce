/** Counts of requests in Redis. */
import type { Redis } from '@murmuration/cache'

const ADD = `local out = {}
for i = 1, #KEYS do
  local n = redis.call('INCRBY', KEYS[i], ARGV[1])
  if n == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[i], ARGV[1 + i]) end
  out[i] = n
end
return out`

/**
 * Adds `by` to the count of each key. A new count expires after the number of seconds at the same position. Returns the new
 * counts; an empty list if Redis does not respond.
 */
export const addToCounts = (
  redis: Redis,
  keys: readonly string[],
  by: number,
  seconds: readonly number[],
): Promise<number[]> =>
  redis.withFallback<number[]>(
    async (client) =>
      (await client.eval(ADD, { keys: [...keys], arguments: [by, ...seconds].map(String) })) as number[],
    [],
  )
