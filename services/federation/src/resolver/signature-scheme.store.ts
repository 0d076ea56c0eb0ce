/** Signature schemes of hosts in Redis. */
import type { Redis } from '@murmuration/cache'
import { isSignatureScheme, type SignatureScheme } from '../core/signature/scheme.rules.js'

const DAY_S = 86_400

/** Stored scheme under a key; null if none is stored or Redis does not respond. */
export const loadScheme = async (redis: Redis, key: string): Promise<SignatureScheme | null> => {
  const stored = await redis.withFallback((client) => client.get(key) as Promise<string | null>, null)
  return isSignatureScheme(stored) ? stored : null
}

/** Stores a scheme for a day. Null deletes the stored scheme. */
export const storeScheme = async (redis: Redis, key: string, scheme: SignatureScheme | null): Promise<void> => {
  await redis.withFallback<unknown>(
    (client) => (scheme === null ? client.del(key) : client.setEx(key, DAY_S, scheme)),
    null,
  )
}
