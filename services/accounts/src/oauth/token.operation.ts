/** Handlers of access tokens. */

import type { TokenInfo } from '@murmuration/contracts'
import {
  introspectToken,
  issueToken,
  oauthMetadata,
  resolveToken,
  revokeToken,
  tokenInfo,
} from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { SCOPES, scopeAllows } from '@murmuration/contracts/scopes'
import { arrivedAt } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { sameDigest } from '../core/credential/secrets.js'
import { recordTokenUse, type TokenWithUser, tokenByDigest, tokenById, tokenWithUser } from '../core/token/store.js'
import { endToken } from '../core/token/token.js'
import { stateOf } from '../core/user/state.rules.js'
import { recordActivity, type UserRow } from '../core/user/store.js'
import { viewerOf } from '../core/user/viewer.rules.js'
import { handle } from '../handlers.js'
import { type ApplicationRow, applicationByClientId } from './application.store.js'
import { passwordGrantAllowed } from './grant.rules.js'
import { exchangeCode, grantForPassword, grantToClient } from './grants.js'
import { missingParameter, oauthFailure } from './oauth-error.rules.js'
import { tokenReply, unixSeconds } from './token-reply.js'

/** The application with this client id and secret. Null if it is unknown, or its secret is wrong or missing. */
const authenticatedClient = async (
  ctx: Pick<Context, 'db' | 'tokens'>,
  given: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<ApplicationRow | null> => {
  if (!given.client_id || !given.client_secret) return null
  const app = await applicationByClientId(ctx.db, given.client_id)
  return app && sameDigest(app.secret_hash, ctx.tokens.digest(given.client_secret)) ? app : null
}

/** Issues a token for an authorization code, for an application, or for a password if the password grant is allowed. */
export const handleIssueToken = handle(issueToken, async (ctx, _viewer, input, request) => {
  // The gateway may delay requests. The time of arrival therefore decides whether a request was sent after its code was used.
  const arrived = arrivedAt(request, ctx.clock.now())
  if (!input.grant_type) throw missingParameter('grant_type')
  const app = await authenticatedClient(ctx, input)
  if (!app) throw oauthFailure('invalid_client')
  switch (input.grant_type) {
    case 'authorization_code':
      return tokenReply(await exchangeCode(ctx, app, input, arrived))
    case 'client_credentials':
      return tokenReply(await grantToClient(ctx, app, input.scope))
    case 'password':
      if (!ctx.config.externalOnly && passwordGrantAllowed(ctx.config.passwordGrant, ctx.common.mode))
        return tokenReply(await grantForPassword(ctx, app, input))
      throw oauthFailure('unsupported_grant_type')
    default:
      throw oauthFailure('unsupported_grant_type')
  }
})

/** Revokes a token of the authenticated application. */
export const endTokenOfClient = handle(revokeToken, async (ctx, _viewer, input) => {
  const app = await authenticatedClient(ctx, input)
  if (!app) throw oauthFailure('unauthorized_client')
  const token = input.token ? await tokenByDigest(ctx.db, ctx.tokens.digest(input.token)) : null
  if (token && token.application_id !== app.id) throw oauthFailure('unauthorized_client')
  // Revoking an unknown token succeeds (RFC 7009 section 2.2).
  if (token) await ctx.db.tx((tx) => endToken(ctx, tx, token))
  return {}
})

/** Returns the application, the user and the scopes of the access token of the request. */
export const showTokenInfo = handle(tokenInfo, async (ctx, viewer, _input, request) => {
  const token = await tokenById(ctx.db, request.caller?.app?.tokenId ?? '0')
  if (!token) throw notFound()
  return {
    resource_owner_id: viewer?.id ?? null,
    scope: token.scopes as TokenInfo['scope'],
    expires_in: token.expires_at && Math.max(0, unixSeconds(token.expires_at) - unixSeconds(ctx.clock.date())),
    application: { uid: token.client_id },
    created_at: unixSeconds(token.created_at),
  }
})

/** Returns whether a token is active (RFC 7662). The state of a token is returned only to the application of the token. */
export const introspect = handle(introspectToken, async (ctx, _viewer, input, request) => {
  const applicationId = (await authenticatedClient(ctx, input))?.id ?? request.caller?.app?.id
  if (applicationId === undefined) throw oauthFailure('invalid_client')
  const token = input.token ? await tokenByDigest(ctx.db, ctx.tokens.digest(input.token)) : null
  const over = token?.expires_at !== null && (token?.expires_at.getTime() ?? 0) <= ctx.clock.now()
  if (!token || token.application_id !== applicationId || token.revoked_at || over) return { active: false as const }
  return {
    active: true as const,
    scope: token.scopes.join(' '),
    client_id: token.client_id,
    token_type: 'Bearer' as const,
    iat: unixSeconds(token.created_at),
    ...(token.expires_at && { exp: unixSeconds(token.expires_at) }),
  }
})

/** Metadata of the authorization server (RFC 8414). */
export const showMetadata = handle(oauthMetadata, async (ctx) => {
  const { origin } = ctx.site
  const withPassword = !ctx.config.externalOnly && passwordGrantAllowed(ctx.config.passwordGrant, ctx.common.mode)
  return {
    issuer: `${origin}/`,
    service_documentation: `${origin}/api/openapi.json`,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    app_registration_endpoint: `${origin}/api/v1/apps`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    userinfo_endpoint: `${origin}/oauth/userinfo`,
    scopes_supported: [...SCOPES],
    response_types_supported: ['code' as const] as ['code'],
    response_modes_supported: ['query' as const, 'fragment' as const, 'form_post' as const],
    grant_types_supported: [
      'authorization_code' as const,
      'client_credentials' as const,
      ...(withPassword ? (['password'] as const) : []),
    ],
    token_endpoint_auth_methods_supported: ['client_secret_basic' as const, 'client_secret_post' as const],
    code_challenge_methods_supported: ['S256' as const] as ['S256'],
  }
})

const DAY = 86_400_000
/** Scopes that permit streaming. A token needs one of them. */
const STREAMED = ['read', 'read:statuses', 'read:notifications']

const lacks = (why: 'unknown' | 'revoked' | 'expired') => ({ found: null, why })

const isPerson = (row: TokenWithUser): row is TokenWithUser & UserRow => row.user_id !== null

/** Resolves a bearer token to its user. Each authenticated request causes this call, unless the gateway has cached the token. */
export const resolve = handle(resolveToken, async (ctx, _viewer, { token, ip, stream }) => {
  const row = await tokenWithUser(ctx.db, ctx.tokens.digest(token))
  if (!row) return lacks('unknown')
  const now = ctx.clock.now()
  // The expiry is checked before `revoked_at`, because a tick also sets `revoked_at` of expired tokens. Clients get the
  // error for an expired token.
  if (row.expires_at && row.expires_at.getTime() <= now) return lacks('expired')
  if (row.revoked_at) return lacks('revoked')

  // The time of the last use is stored at most once a day. The write is not awaited, because its failure must not fail the request.
  const late = (at: Date | null) => !at || now - at.getTime() >= DAY
  const logged = (work: Promise<void>) => work.catch((error) => ctx.log.warn({ error }, 'activity was not stored'))
  if (late(row.last_used_at)) logged(recordTokenUse(ctx.db, row.id, new Date(now)))
  if (isPerson(row) && late(row.active_at)) logged(recordActivity(ctx.db, row.user_id, ip, new Date(now)))

  const viewer = isPerson(row) ? viewerOf(row) : null
  const state = isPerson(row) ? stateOf(row) : 'ok'
  const streams = stream && viewer && state === 'ok' && scopeAllows(row.scopes, STREAMED)
  return {
    found: {
      tokenId: row.id,
      appId: row.application_id,
      ...(row.expires_at && { expiresAt: row.expires_at.getTime() }),
      scopes: row.scopes,
      viewer,
      state,
    },
    why: 'ok' as const,
    ...(streams && { grant: ctx.streamGrants.issue(viewer.id) }),
  }
})
