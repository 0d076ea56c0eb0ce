/** Bearer tokens to people: asked once, kept for seconds, forgotten at once when one is revoked. */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type ResolvedToken, tokenHint, tokenResolve } from '@murmuration/contracts/accounts'
import { createMemoryCache } from '@murmuration/flow'
import type { Context } from '../../context.js'

/** Result of the look-up of an access token. */
export interface TokenLookup {
  readonly found: ResolvedToken | null
  readonly why: 'ok' | 'unknown' | 'revoked' | 'expired'
}

export interface Tokens {
  /** At once when it was asked a moment ago. */
  resolve(token: string, ip: string): TokenLookup | Promise<TokenLookup>
}

/** A lost hint is made good within this time. */
const TTL_MS = 10_000
const MOST = 50_000
const MAX_LENGTH = 512

/** Keyed by a digest: a heap dump or a log must not hold tokens. */
const keyOf = (token: string): string => hash('sha256', token, 'base64url')

export const createTokens = (ctx: Pick<Context, 'call' | 'hints' | 'clock'>): Tokens => {
  const known = createMemoryCache<TokenLookup>({
    most: MOST,
    ttlMs: TTL_MS,
    now: () => ctx.clock.now(),
    idOf: ({ found }) => found?.tokenId ?? null,
  })
  ctx.hints.hear(tokenHint, known.invalidate)
  return {
    resolve(token, ip) {
      if (token.length > MAX_LENGTH) return { found: null, why: 'unknown' }
      return known.load(keyOf(token), () => ctx.call(tokenResolve, { token, ip }))
    },
  }
}

const BEARER = /^Bearer +(\S+)$/i

/** The token in the Authorization header. */
export const bearerOf = (req: IncomingMessage): string | null => {
  const header = req.headers.authorization
  return header === undefined ? null : (BEARER.exec(header)?.[1] ?? null)
}

/** The token among the parameters, under the names that this API allows. */
export const tokenIn = (given: Readonly<Record<string, unknown>>): string | null => {
  const { access_token: access, bearer_token: bearer } = given
  return typeof access === 'string' && access ? access : typeof bearer === 'string' && bearer ? bearer : null
}
