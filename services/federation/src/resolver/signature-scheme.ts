/** Cache of the signature scheme that a host accepts for GET: in Redis for a day, for all processes. The default is not stored. */
import { createHash } from 'node:crypto'
import type { Redis } from '@murmuration/cache'
import { createMemoryCache } from '@murmuration/flow'
import type { SignatureScheme } from '../core/signature/scheme.rules.js'
import { loadScheme, storeScheme } from './signature-scheme.store.js'

export interface KnownSchemes {
  /** Signature scheme that the host accepted last; the default scheme for unknown hosts. */
  of(host: string): Promise<SignatureScheme>
  note(host: string, scheme: SignatureScheme): Promise<void>
}

/** Time for which a signature scheme is cached in the memory of this process, before Redis is read again. */
const OWN_MS = 60_000
const USUAL: SignatureScheme = 'cavage'

export const createKnownSchemes = (options: { redis: Redis; prefix: string; now: () => number }): KnownSchemes => {
  const { redis, prefix, now } = options
  const own = createMemoryCache<SignatureScheme>({ max: 20_000, ttlMs: OWN_MS, now })
  const keyOf = (host: string) =>
    `${prefix}:scheme:${createHash('sha256').update(host).digest('base64url').slice(0, 22)}`
  return {
    of: async (host) => own.load(host, async () => (await loadScheme(redis, keyOf(host))) ?? USUAL),
    async note(host, scheme) {
      if (own.get(host) === scheme) return
      own.set(host, scheme)
      await storeScheme(redis, keyOf(host), scheme === USUAL ? null : scheme)
    },
  }
}
