/** Which form of signature a host wants on a GET, remembered for a day by all processes; the usual one is not noted. */
import { createHash } from 'node:crypto'
import { createMemory, type Redis } from '@murmuration/cache'

/** The ways to sign, in the order in which they are tried. */
export const manners = ['cavage', 'cavage-without-query', 'rfc9421'] as const
export type Manner = (typeof manners)[number]

export interface Manners {
  /** What worked last; the usual manner for hosts of which nothing is known. */
  of(host: string): Promise<Manner>
  note(host: string, manner: Manner): Promise<void>
}

const DAY_S = 86_400
/** Without asking the others. */
const OWN_MS = 60_000
const USUAL: Manner = 'cavage'

const isManner = (text: string | null): text is Manner => manners.some((one) => one === text)

export const createManners = (options: { redis: Redis; prefix: string; now: () => number }): Manners => {
  const { redis, prefix, now } = options
  const own = createMemory<Manner>({ most: 20_000, ttlMs: OWN_MS, now })
  const keyOf = (host: string) =>
    `${prefix}:manner:${createHash('sha256').update(host).digest('base64url').slice(0, 22)}`
  return {
    async of(host) {
      const known = own.get(host)
      if (known !== undefined) return known
      const told = await redis.soft((client) => client.get(keyOf(host)) as Promise<string | null>, null)
      const manner = isManner(told) ? told : USUAL
      own.set(host, manner)
      return manner
    },
    async note(host, manner) {
      if (own.get(host) === manner) return
      own.set(host, manner)
      await redis.soft<unknown>(
        (client) => (manner === USUAL ? client.del(keyOf(host)) : client.setEx(keyOf(host), DAY_S, manner)),
        null,
      )
    },
  }
}
