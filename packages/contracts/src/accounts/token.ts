/**
 * Operations about OAuth 2.0 tokens: issue, revocation, introspection and server metadata. Messages about revoked
 * tokens. Errors have the form of RFC 6749.
 */

import { z } from 'zod'
import { OAuthServerMetadata, Token, TokenInfo, TokenIntrospection, UserInfo } from '../entities/index.js'
import { anyone, app, event, get, internal, invalidation, operation, optional, post, text, user } from '../kit/index.js'

/** Client credentials. If the body has none, the gateway copies them from the HTTP Basic header. */
const client = { client_id: text(512).optional(), client_secret: text(512).optional() }

export const issueToken = operation('accounts.token.issue', {
  http: post('/oauth/token'),
  viewer: anyone(),
  class: 'login',
  input: z.object({
    ...client,
    grant_type: text(200).optional(),
    code: text(512).optional(),
    redirect_uri: text(2_000).optional(),
    code_verifier: text(512).optional(),
    scope: text(2_000).optional(),
    username: text(512).optional(),
    password: text(2_000).optional(),
  }),
  output: Token,
  errors: ['invalid', 'unauthenticated'],
  about: 'Issues a token for an authorization code or for client credentials.',
})

export const revokeToken = operation('accounts.token.revoke', {
  http: post('/oauth/revoke'),
  viewer: anyone(),
  input: z.object({ ...client, token: text(512).optional() }),
  output: z.object({}),
  errors: ['forbidden'],
  about: 'Revokes a token. Its streams are closed and its push subscription is deleted.',
})

export const introspectToken = operation('accounts.token.introspect', {
  http: post('/oauth/introspect'),
  viewer: optional(),
  class: 'read',
  input: z.object({ ...client, token: text(512).optional() }),
  output: TokenIntrospection,
  errors: ['unauthenticated'],
  about: 'Whether a token is active, for its own application (RFC 7662).',
})

export const tokenInfo = operation('accounts.token.info', {
  http: get('/oauth/token/info'),
  viewer: app(),
  input: z.object({}),
  output: TokenInfo,
  about: 'The token of this request.',
})

export const userInfo = operation('accounts.user.info', {
  http: [get('/oauth/userinfo'), post('/oauth/userinfo')],
  viewer: user('profile'),
  class: 'read',
  input: z.object({}),
  output: UserInfo,
  about: 'The user of the token, as OpenID Connect defines it.',
})

export const oauthMetadata = operation('accounts.token.metadata', {
  http: get('/.well-known/oauth-authorization-server'),
  viewer: anyone(),
  input: z.object({}),
  output: OAuthServerMetadata,
  cache: 'instance',
  about: 'How to obtain tokens here (RFC 8414).',
})

/** Data of a valid token. `state` is `ok`, or the reason why the account may not act. */
export const ResolvedToken = z.object({
  tokenId: z.string(),
  appId: z.string(),
  /** Expiry of the token in milliseconds since 1970. Absent for a token without expiry. */
  expiresAt: z.int().optional(),
  scopes: z.array(z.string()),
  viewer: z
    .object({ id: z.string(), userId: z.string(), permissions: z.int(), position: z.int(), locale: z.string() })
    .nullable(),
  state: z.enum(['ok', 'unconfirmed', 'unapproved', 'disabled', 'suspended']),
})

export type ResolvedToken = z.infer<typeof ResolvedToken>

export const resolveToken = operation('accounts.token.resolve', {
  viewer: internal(),
  input: z.object({
    token: z.string().max(512),
    ip: z.string().nullable(),
    /** True for a streaming connection. The response then contains a grant if the token may read statuses or notifications. */
    stream: z.boolean().optional(),
  }),
  output: z.object({
    found: ResolvedToken.nullable(),
    why: z.enum(['ok', 'unknown', 'revoked', 'expired']),
    /** Signed proof that the account has an open stream, valid for three minutes. The services statuses and notifications require it. */
    grant: z.string().optional(),
  }),
  about: 'Application, user and scopes of a bearer token.',
})

export const tokenRevoked = event('accounts.token.revoked', {
  data: z.object({ tokenIds: z.array(z.string()), userId: z.string().nullable() }),
  about: 'Tokens were revoked. Their streams are closed and their push subscriptions deleted.',
})

/** Cache invalidation message: cached access tokens are outdated. The ids are token ids. */
export const tokenInvalidation = invalidation('accounts.token', 'Ids of outdated tokens.')
