/** Bearer tokens to people: asked once, kept for seconds, forgotten at once when one is revoked. */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type ResolvedToken, tokenHint, tokenResolve } from '@murmuration/contracts/accounts'
import { LRUCache } from 'lru-cache'
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

export const createTokens = (ctx: Pick<Context, 'call' | 'hints'>): Tokens => {
  const keysById = new Map<string, string>()
  const known = new LRUCache<string, TokenLookup>({
    max: MOST,
    ttl: TTL_MS,
    ttlResolution: 100,
    dispose: ({ found }, key) => {
      if (found && keysById.get(found.tokenId) === key) keysById.delete(found.tokenId)
    },
  })
  const asking = new Map<string, Promise<TokenLookup>>()
  let generation = 0
  ctx.hints.hear(tokenHint, (ids) => {
    // An answer on its way may be older than this hint: it is used by those who wait for it, and by nobody after them.
    generation++
    asking.clear()
    if (ids === null) known.clear()
    else for (const id of ids) known.delete(keysById.get(id) ?? '')
  })
  const ask = async (token: string, key: string, ip: string): Promise<TokenLookup> => {
    const began = generation
    const answer = await ctx.call(tokenResolve, { token, ip })
    if (began !== generation) return answer
    known.set(key, answer)
    if (answer.found) keysById.set(answer.found.tokenId, key)
    return answer
  }
  return {
    resolve(token, ip) {
      if (token.length > MAX_LENGTH) return { found: null, why: 'unknown' }
      const key = keyOf(token)
      const cached = known.get(key) ?? asking.get(key)
      if (cached) return cached
      const question = ask(token, key, ip).finally(() => {
        if (asking.get(key) === question) asking.delete(key)
      })
      asking.set(key, question)
      return question
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
