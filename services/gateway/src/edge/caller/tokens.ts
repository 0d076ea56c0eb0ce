/**
 * Looks up access tokens. Results are cached for ten seconds, or until the token expires. A cache invalidation removes
 * a revoked token from the cache immediately.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type ResolvedToken, resolveToken, tokenInvalidation } from '@murmuration/contracts/accounts'
import { createMemoryCache } from '@murmuration/flow'
import type { Context } from '../../context.js'

/** Result of the look-up of an access token. */
export interface TokenLookup {
  readonly found: ResolvedToken | null
  readonly why: 'ok' | 'unknown' | 'revoked' | 'expired'
}

export interface Tokens {
  /** Looks up an access token. Returns the result directly, not as a promise, if it is cached. */
  resolve(token: string, ip: string): TokenLookup | Promise<TokenLookup>
}

/**
 * Milliseconds for which the result of a token look-up is cached. If the cache invalidation of a revoked token is lost,
 * the token stays valid for at most this time.
 */
const TTL_MS = 10_000
/** Maximum number of access tokens whose look-ups are cached. */
const MAX_TOKENS = 50_000
/** Maximum number of characters of an access token. A longer token is invalid, and no service is called for it. */
const MAX_LENGTH = 512

/** Cache key of an access token. It is a digest, so that heap dumps and logs contain no tokens. */
const keyOf = (token: string): string => hash('sha256', token, 'base64url')

export const createTokens = (ctx: Pick<Context, 'call' | 'invalidations' | 'clock'>): Tokens => {
  const known = createMemoryCache<TokenLookup>({
    max: MAX_TOKENS,
    ttlMs: TTL_MS,
    now: () => ctx.clock.now(),
    idOf: ({ found }) => found?.tokenId ?? null,
  })
  ctx.invalidations.subscribe(tokenInvalidation, known.invalidate)
  return {
    resolve(token, ip) {
      if (token.length > MAX_LENGTH) return { found: null, why: 'unknown' }
      return known.load(
        keyOf(token),
        () => ctx.call(resolveToken, { token, ip }),
        ({ found }) => Math.min(TTL_MS, (found?.expiresAt ?? Infinity) - ctx.clock.now()),
      )
    },
  }
}

const BEARER = /^Bearer +(\S+)$/i

/** The access token in the Authorization header; null without a Bearer header. */
export const bearerOf = (req: IncomingMessage): string | null => {
  const header = req.headers.authorization
  return header === undefined ? null : (BEARER.exec(header)?.[1] ?? null)
}

/** The access token in the parameter `access_token` or `bearer_token`; null without either. */
export const tokenIn = (given: Readonly<Record<string, unknown>>): string | null => {
  const { access_token: access, bearer_token: bearer } = given
  return typeof access === 'string' && access ? access : typeof bearer === 'string' && bearer ? bearer : null
}
