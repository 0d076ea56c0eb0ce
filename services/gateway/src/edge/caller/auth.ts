/** Authorization of callers for operations. Clients rely on the order of the checks, which is that of Mastodon. */

import type { ResolvedToken } from '@murmuration/contracts/accounts'
import { type AnyOperation, type Caller, type ErrorText, errorText, fail } from '@murmuration/contracts/kit'
import { permits } from '@murmuration/contracts/permissions'
import { scopeAllows } from '@murmuration/contracts/scopes'
import type { TokenLookup } from './tokens.js'

/** Settings of this server about the access of anonymous clients. */
export interface AccessSettings {
  /** True if anonymous API requests are refused, except for sign-up. */
  readonly membersOnly: boolean
  /** With LIMITED_FEDERATION_MODE, only allowed domains federate. The description of the server then requires a login, too. */
  readonly limitedFederation: boolean
}

const TEXT: Record<Exclude<TokenLookup['why'], 'ok'>, ErrorText> = {
  unknown: errorText('The access token is invalid'),
  revoked: errorText('The access token was revoked'),
  expired: errorText('The access token expired'),
}
/** Error text for an account that may not act, by its state. */
export const STATE_TEXT: Record<Exclude<ResolvedToken['state'], 'ok'>, ErrorText> = {
  unconfirmed: errorText('Your login is missing a confirmed e-mail address'),
  unapproved: errorText('Your login is currently pending approval'),
  disabled: errorText('Your login is currently disabled'),
  suspended: errorText('Your login is currently disabled'),
}

/** Error text for an account that may not act. Unlike `STATE_TEXT`, it also accepts states that only a newer release knows. */
export const textOfState = (state: keyof typeof STATE_TEXT): ErrorText => STATE_TEXT[state] ?? STATE_TEXT.disabled

const refusedToken = (why: keyof typeof TEXT) => {
  const text = TEXT[why] ?? TEXT.unknown
  return fail('unauthenticated', text, {
    headers: {
      'WWW-Authenticate': `Bearer realm="Doorkeeper", error="invalid_token", error_description="${text}"`,
    },
  })
}
const notAllowed = () => fail('forbidden', 'This action is not allowed')

/**
 * The caller of a request, as it is sent to the services. Operations for anyone get neither the viewer nor the
 * application of the token.
 */
export const callerOf = (
  operation: AnyOperation,
  lookup: TokenLookup | null,
  base: Pick<Caller, 'ip' | 'userAgent'>,
): Caller => {
  const found = operation.viewer.kind === 'anyone' ? null : (lookup?.found ?? null)
  return {
    ...base,
    viewer: found?.viewer ?? null,
    app: found ? { id: found.appId, tokenId: found.tokenId, scopes: found.scopes } : null,
  }
}

/**
 * True for operations that need no login on a members-only server: writes without a login such as sign-up, routes outside
 * the API, and the server's description unless federation is limited.
 */
const isForVisitors = ({ cache, http, viewer: { kind } }: AnyOperation, access: AccessSettings): boolean => {
  if (!http.some((route) => route.path.startsWith('/api/'))) return true
  if (cache === 'instance') return !access.limitedFederation
  return (kind === 'anyone' || kind === 'app') && http.every((route) => route.method !== 'GET')
}

const allowed = new WeakMap<readonly string[], WeakMap<AnyOperation, boolean>>()

/**
 * Whether the scopes of a token allow the operation. The result is cached by the array `granted`, because the token
 * cache returns the same array for each request with the token.
 */
const hasScope = (granted: readonly string[], operation: AnyOperation): boolean => {
  if (operation.viewer.scopes.length === 0) return true
  const results = allowed.get(granted) ?? new WeakMap<AnyOperation, boolean>()
  allowed.set(granted, results)
  const before = results.get(operation)
  if (before !== undefined) return before
  const result = scopeAllows(granted, operation.viewer.scopes)
  results.set(operation, result)
  return result
}

/**
 * Throws the first refusal, checked in this order: anonymous request on a members-only server, missing login of staff
 * operations, suspended account, token, scope, missing user, state of the account, permission.
 */
export const authorize = (operation: AnyOperation, lookup: TokenLookup | null, access: AccessSettings): void => {
  const { kind, scopes, permission, evenIf } = operation.viewer
  const found = lookup?.found ?? null
  const viewer = found?.viewer ?? null
  if (access.membersOnly && !viewer && permission === undefined && !isForVisitors(operation, access))
    throw fail('unauthenticated', 'This method requires an authenticated user')
  if (kind === 'anyone') return
  if (permission !== undefined && !viewer) throw notAllowed()
  if (found?.state === 'suspended') throw fail('forbidden', STATE_TEXT.suspended)
  if (lookup && !found && (kind !== 'optional' || lookup.why !== 'unknown'))
    throw refusedToken(lookup.why === 'ok' ? 'unknown' : lookup.why)
  if (!lookup && (kind === 'app' || (kind === 'user' && scopes.length > 0))) throw refusedToken('unknown')
  if (found && !hasScope(found.scopes, operation))
    throw fail('forbidden', 'This action is outside the authorized scopes')
  if (kind === 'user' && !viewer) throw fail('unprocessable', 'This method requires an authenticated user')
  if (found && viewer && kind !== 'app' && found.state !== 'ok' && !evenIf?.some((one) => one === found.state))
    throw fail('forbidden', textOfState(found.state))
  if (!permits(operation.viewer, viewer?.permissions ?? 0)) throw notAllowed()
}
