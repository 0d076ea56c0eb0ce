/** Cache of the signature scheme that a host accepts for GET: in Redis for a day, for all processes. The default is not stored. */
import { createHash } from 'node:crypto'
import type { Redis } from '@murmuration/cache'
import { createMemoryCache } from '@murmuration/flow'
import { isSignatureScheme, type SignatureScheme } from '../core/signature-scheme.rules.js'

export interface KnownSchemes {
  /** Signature scheme that the host accepted last; the default scheme for unknown hosts. */
  of(host: string): Promise<SignatureScheme>
  note(host: string, scheme: SignatureScheme): Promise<void>
}

const DAY_S = 86_400
/** Time for which a signature scheme is cached in the memory of this process, before Redis is read again. */
const OWN_MS = 60_000
const USUAL: SignatureScheme = 'cavage'

export const createKnownSchemes = (options: { redis: Redis; prefix: string; now: () => number }): KnownSchemes => {
  const { redis, prefix, now } = options
  const own = createMemoryCache<SignatureScheme>({ max: 20_000, ttlMs: OWN_MS, now })
  const keyOf = (host: string) =>
    `${prefix}:scheme:${createHash('sha256').update(host).digest('base64url').slice(0, 22)}`
  return {
    of: async (host) =>
      own.load(host, async () => {
        const stored = await redis.withFallback((client) => client.get(keyOf(host)) as Promise<string | null>, null)
        return isSignatureScheme(stored) ? stored : USUAL
      }),
    async note(host, scheme) {
      if (own.get(host) === scheme) return
      own.set(host, scheme)
      await redis.withFallback<unknown>(
        (client) => (scheme === USUAL ? client.del(keyOf(host)) : client.setEx(keyOf(host), DAY_S, scheme)),
        null,
      )
    },
  }
}
