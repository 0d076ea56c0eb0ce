/** Creates OAuth 2.0 errors with the texts that clients expect and the body of RFC 6749 section 5.2. */
import { type ErrorCode, ErrorText, errorText, Failure } from '@murmuration/contracts/kit'

const UNKNOWN_CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'

const table = {
  invalid_client: ['unauthenticated', 401, errorText(UNKNOWN_CLIENT)],
  invalid_redirect_uri: ['unauthenticated', 401, errorText('The redirect uri included is not valid.')],
  invalid_grant: [
    'invalid',
    400,
    errorText(
      'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
    ),
  ],
  unsupported_grant_type: [
    'invalid',
    400,
    errorText('The authorization grant type is not supported by the authorization server.'),
  ],
  invalid_request: [
    'invalid',
    400,
    errorText('The request is missing a required parameter, or is otherwise malformed.'),
  ],
  invalid_scope: ['invalid', 400, errorText('The requested scope is invalid, unknown, or malformed.')],
  access_denied: ['forbidden', 403, errorText('The resource owner or authorization server denied the request.')],
  login_required: ['unauthenticated', 401, errorText('The user is not signed in.')],
  interaction_required: ['forbidden', 403, errorText('The resource owner has to be asked.')],
  unsupported_response_type: [
    'invalid',
    400,
    errorText('The authorization server does not support this response type.'),
  ],
  unsupported_response_mode: [
    'invalid',
    400,
    errorText('The authorization server does not support this response mode.'),
  ],
  invalid_code_challenge_method: ['invalid', 400, errorText('The code_challenge_method must be S256.')],
  unauthorized_client: ['forbidden', 403, errorText('You are not authorized to revoke this token')],
} as const satisfies Record<string, readonly [ErrorCode, number, ErrorText]>

export type OAuthError = keyof typeof table

export const statusOfOAuth = (error: OAuthError): number => table[error][1]
export const describeOAuth = (error: OAuthError): ErrorText => table[error][2]

/** Returns an OAuth error to throw. In its body, `error` is the OAuth code and `error_description` the text. */
export const oauthFailure = (error: OAuthError, description = describeOAuth(error)): Failure =>
  new Failure(table[error][0], new ErrorText(error), {
    status: table[error][1],
    body: { error_description: description },
    headers: {
      'Cache-Control': 'no-store',
      ...(table[error][1] === 401
        ? { 'WWW-Authenticate': `Bearer realm="Doorkeeper", error="${error}", error_description="${description}"` }
        : {}),
    },
  })

export const missingParameter = (name: string): Failure =>
  oauthFailure('invalid_request', errorText('Missing required parameter: {name}.', { name }))
