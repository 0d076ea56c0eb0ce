/** Validates authorization requests against the registered application, and creates redirects. */
import type { AuthorizationRedirect, AuthorizationRequest } from '@murmuration/contracts/accounts'
import { errorText } from '@murmuration/contracts/kit'
import { isOutOfBand, mayRedirectTo } from './application.rules.js'
import { requestedScopes } from './grant.rules.js'
import { describeOAuth, type OAuthError, statusOfOAuth } from './oauth-error.rules.js'

export interface RegisteredClient {
  redirect_uris: readonly string[]
  scopes: readonly string[]
}
export interface Refusal {
  kind: 'refused'
  status: number
  error: OAuthError
  error_description: string
}
export interface Accepted {
  kind: 'accepted'
  redirectUri: string
  scopes: string[]
  challenge: string | null
}

/** Returns an error of an authorization request that a page of this server shows. The browser is not redirected to the client. */
export const refusal = (error: OAuthError, description = describeOAuth(error)): Refusal => ({
  kind: 'refused',
  status: statusOfOAuth(error),
  error,
  error_description: description.toString(),
})

const MODES = ['query', 'fragment', 'form_post']
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/**
 * Validates an OAuth authorization request. Client and redirect URI come first, because errors are sent to the client
 * only if both are valid (D017, D019).
 */
export const checkRequest = (request: AuthorizationRequest, client: RegisteredClient | null): Accepted | Refusal => {
  if (!client) return refusal('invalid_client')
  const { redirect_uri: redirectUri, response_type: type, response_mode: mode, code_challenge: challenge } = request
  if (!redirectUri || !client.redirect_uris.includes(redirectUri) || !mayRedirectTo(redirectUri))
    return refusal('invalid_redirect_uri')
  if (!type)
    return refusal('invalid_request', errorText('Missing required parameter: {name}.', { name: 'response_type' }))
  if (type !== 'code') return refusal('unsupported_response_type')
  if (mode && !MODES.includes(mode)) return refusal('unsupported_response_mode')
  const scopes = requestedScopes(request.scope, client.scopes)
  if (!scopes) return refusal('invalid_scope')
  // Without `code_challenge_method`, RFC 7636 means `plain`, which is not supported (D018).
  if (challenge ? request.code_challenge_method !== 'S256' : request.code_challenge_method)
    return refusal('invalid_code_challenge_method')
  if (challenge && !CHALLENGE.test(challenge))
    return refusal('invalid_request', errorText('The code_challenge is malformed.'))
  return { kind: 'accepted', redirectUri, scopes, challenge: challenge || null }
}

/**
 * Returns the redirect to a registered redirect URI with the given parameters. Registered redirect URIs have no
 * fragment.
 */
export const redirectTo = (
  redirectUri: string,
  mode: string | undefined,
  given: Record<string, string | undefined>,
): AuthorizationRedirect => {
  const params = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  if (mode === 'form_post') return { kind: 'leave', redirect: redirectUri, form: params }
  const query = new URLSearchParams(params).toString()
  const joint = mode === 'fragment' ? '#' : redirectUri.includes('?') ? '&' : '?'
  return { kind: 'leave', redirect: `${redirectUri}${joint}${query}`, form: null }
}

/** Redirect with a code: to the client, or to the page of this server that shows the code. */
export const redirectWithCode = (
  request: AuthorizationRequest,
  redirectUri: string,
  code: string,
  origin: string,
): AuthorizationRedirect =>
  isOutOfBand(redirectUri)
    ? redirectTo(`${origin}/oauth/authorize/native`, 'query', { code })
    : redirectTo(redirectUri, request.response_mode, { code, state: request.state, iss: `${origin}/` })

/** Returns a redirect with an OAuth error to the client. For clients without a redirect URI, a page of this server shows the error. */
export const redirectWithError = (
  request: AuthorizationRequest,
  redirectUri: string,
  error: OAuthError,
  origin: string,
): AuthorizationRedirect | Refusal =>
  isOutOfBand(redirectUri)
    ? refusal(error)
    : redirectTo(redirectUri, request.response_mode, {
        error,
        error_description: describeOAuth(error).toString(),
        state: request.state,
        iss: `${origin}/`,
      })

/** Whether the client requests consent although the user granted it before. */
export const requiresConsent = ({ force_login: force, prompt }: AuthorizationRequest): boolean =>
  force === true || (prompt !== undefined && prompt !== '' && prompt !== 'none')

/**
 * The part of a redirect URI that a user sees: its host, or the scheme of a native app. With such a scheme, the host is
 * not shown, because it is no server and the app can choose any text. Returns an empty text if this server shows the
 * code.
 */
export const destinationOf = (redirectUri: string): string => {
  if (isOutOfBand(redirectUri)) return ''
  const url = new URL(redirectUri)
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol
}
