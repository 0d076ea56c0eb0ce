/** Who is asking: bearer token to caller, cached for seconds, forgotten at once when it is revoked. The only place that decides this. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type ResolvedToken, tokenHint, tokenResolve } from '@murmuration/contracts/accounts'
import { type AnyOperation, type Caller, fail } from '@murmuration/contracts/kit'
import { can, type PermissionName } from '@murmuration/contracts/permissions'
import { scopeAllows } from '@murmuration/contracts/scopes'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.js'

type Why = 'ok' | 'unknown' | 'revoked' | 'expired'
interface Known {
  found: ResolvedToken | null
  why: Why
}

export interface Auth {
  /** What the token says; null when none was sent. */
  identify(token: string | null, ip: string): Promise<Known | null>
}

const TTL_MS = 10_000

/** Keyed by a digest: a heap dump or a log must not hold tokens. */
const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const createAuth = (ctx: Pick<Context, 'call' | 'hints'>): Auth => {
  const known = new LRUCache<string, Known>({ max: 50_000, ttl: TTL_MS })
  const byTokenId = new Map<string, string>()
  const asking = new Map<string, Promise<Known>>()
  let generation = 0
  ctx.hints.hear(tokenHint, (ids) => {
    generation++
    if (ids === null) known.clear()
    else for (const id of ids) known.delete(byTokenId.get(id) ?? '')
  })
  const ask = async (token: string, key: string, ip: string): Promise<Known> => {
    const started = generation
    const answer = (await ctx.call(tokenResolve, { token, ip })) as Known
    if (started === generation) {
      known.set(key, answer)
      if (answer.found) {
        if (byTokenId.size > 100_000) byTokenId.clear()
        byTokenId.set(answer.found.tokenId, key)
      }
    }
    return answer
  }
  return {
    async identify(token, ip) {
      if (token === null) return null
      if (token.length > 512) return { found: null, why: 'unknown' }
      const key = keyOf(token)
      const cached = known.get(key)
      if (cached) return cached
      const running = asking.get(key) ?? ask(token, key, ip).finally(() => asking.delete(key))
      asking.set(key, running)
      return running
    },
  }
}

/** The token of a request: header first, then the parameters that this API allows. */
export const tokenOf = (req: IncomingMessage, given: Record<string, unknown>): string | null => {
  const header = req.headers.authorization
  const bearer = header === undefined ? null : /^Bearer\s+(\S+)$/i.exec(header)
  if (bearer) return bearer[1] ?? null
  for (const name of ['access_token', 'bearer_token'])
    if (typeof given[name] === 'string' && given[name]) return given[name] as string
  return null
}

const TEXT: Record<Why, string> = {
  ok: '',
  unknown: 'The access token is invalid',
  revoked: 'The access token was revoked',
  expired: 'The access token expired',
}
const invalidToken = (why: Why) =>
  fail('unauthenticated', TEXT[why], {
    headers: {
      'WWW-Authenticate': `Bearer realm="Doorkeeper", error="invalid_token", error_description="${TEXT[why]}"`,
    },
  })

const STATE: Record<ResolvedToken['state'], string> = {
  ok: '',
  unconfirmed: 'Your login is missing a confirmed e-mail address',
  unapproved: 'Your login is currently pending approval',
  disabled: 'Your login is currently disabled',
  suspended: 'Your login is currently disabled',
}

/** Checks in the order of errors.md 2: suspended, token, scope, user, confirmed, approved, functional, permission. */
export const authorize = (
  operation: AnyOperation,
  known: Known | null,
  base: Pick<Caller, 'ip' | 'userAgent'>,
): Caller => {
  const { kind, scopes, permission, evenIf } = operation.viewer
  const found = known?.found ?? null
  const caller: Caller = {
    ...base,
    viewer: found?.viewer ?? null,
    app: found ? { id: found.appId, tokenId: found.tokenId, scopes: found.scopes } : null,
  }
  if (kind === 'anyone') return { ...base, viewer: null, app: null }
  if (permission !== undefined && !found?.viewer) throw fail('forbidden', 'This action is not allowed')
  if (found?.state === 'suspended') throw fail('forbidden', STATE.suspended)
  if (known && !found && (kind !== 'optional' || known.why !== 'unknown')) throw invalidToken(known.why)
  if (!known && (kind === 'app' || (kind === 'user' && scopes.length > 0))) throw invalidToken('unknown')
  if (found && scopes.length > 0 && !scopeAllows([...found.scopes], [...scopes]))
    throw fail('forbidden', 'This action is outside the authorized scopes')
  if (kind === 'user' && !found?.viewer) throw fail('unprocessable', 'This method requires an authenticated user')
  if (found?.viewer && kind !== 'app' && found.state !== 'ok' && !evenIf?.some((one) => one === found.state))
    throw fail('forbidden', STATE[found.state])
  if (permission !== undefined && !can(found?.viewer?.permissions ?? 0, permission as PermissionName))
    throw fail('forbidden', 'This action is not allowed')
  return caller
}
