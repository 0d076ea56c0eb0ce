/** Reasons of failed sign-ins with a provider for the operator, with the setting to check. */

/** Endpoint of the provider that was requested last. */
export type Endpoint = 'discovery' | 'token' | 'userinfo'

/** Members of the errors of the OpenID library, of the outbound client, and of their causes. */
interface Trouble {
  readonly name?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  /** Error code that the provider returned. */
  readonly error?: unknown
  /** HTTP status of the response. */
  readonly status?: unknown
  readonly claim?: unknown
  readonly attribute?: unknown
}

const MAX_CAUSES = 6

/** The error and its causes. A cause may be a response or a plain object with details. */
const chainOf = (error: unknown): Trouble[] => {
  const chain: Trouble[] = []
  let one = error
  while (typeof one === 'object' && one !== null && chain.length < MAX_CAUSES) {
    chain.push(one)
    one = (one as Trouble).cause
  }
  return chain
}

/** Whether the text of an error is a literal of the OpenID library, which contains nothing that the provider sent. */
const isOfLibrary = ({ code }: Trouble): boolean => String(code).startsWith('OAUTH_')

/** Matches errors of the library about the URL with which the browser returns. Browsers can forge it, so no setting is wrong. */
const FORGED = /^(?!.*\bJWT\b).*(?:parameter|callbackParameters)|^implicit and hybrid flows/

/** Errors in the response of a provider that a user causes, for example by refusing the sign-in. */
const OF_USER = new Set(['access_denied'])

type Settings = (...names: string[]) => string

/** Reason for an error code of OAuth or OpenID Connect; null for other codes. */
const reasonOfCode = (code: string, see: Settings): string | null => {
  if (code === 'invalid_client')
    return `it refuses this server: see ${see('CLIENT_ID', 'CLIENT_SECRET', 'CLIENT_AUTH_METHOD')}`
  if (code === 'unauthorized_client' || code === 'unsupported_response_type')
    return `it does not allow this client to sign users in: see ${see('CLIENT_ID')}`
  if (code === 'invalid_grant')
    return `it refuses the code, which is too old or was made for another address: see ${see('REDIRECT_URI')}`
  if (code === 'invalid_scope') return `it refuses the scopes: see ${see('SCOPE')}`
  if (/^(?:login|interaction|consent|account_selection)_required$/.test(code))
    return `it has to show a page to the user first: see ${see('PROMPT')}`
  if (code === 'invalid_request')
    return `it refuses the request: see ${see('CLIENT_ID', 'REDIRECT_URI', 'SCOPE', 'PROMPT')}`
  return code === 'server_error' || code === 'temporarily_unavailable' ? `it reports ${code}` : null
}

/** Reason for an error code of the outbound client. */
const reasonOfConnection = ({ code, message }: Trouble, see: Settings): string => {
  if (code === 'forbidden_address') return `its address may not be reached: see ${see('ISSUER', 'ALLOW_ADDRESSES')}`
  if (code === 'dns') return `its name was not found: see ${see('ISSUER')}`
  if (code === 'tls') return `its certificate is refused: see EXTRA_CA_FILE and ${see('ISSUER')}`
  if (code === 'timeout') return `it does not respond: see ${see('ISSUER')}`
  if (code === 'connect' || code === 'bad_url') return `it cannot be reached: see ${see('ISSUER')}`
  // Messages of the outbound client contain no text of other servers.
  return `the exchange with it failed: ${String(message)}`
}

const reasonOfClaim = (claim: unknown, see: Settings): string => {
  if (claim === 'iss') return `its ID token names another issuer: see ${see('ISSUER')}`
  if (claim === 'aud' || claim === 'azp') return `its ID token is for another client: see ${see('CLIENT_ID')}`
  return `its ID token has a wrong claim ${String(claim)}`
}

/** Reason for an error of the OpenID library about a response of the provider. */
const reasonOfResponse = (chain: readonly Trouble[], endpoint: Endpoint, see: Settings): string => {
  const detail = (name: keyof Trouble): unknown => chain.find((one) => one[name] !== undefined)?.[name]
  const has = (...codes: string[]): boolean => chain.some(({ code }) => codes.includes(String(code)))
  const settings = endpoint === 'discovery' ? `: see ${see('ISSUER')}` : ''
  if (has('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'))
    return 'its ID token has expired or is not valid yet: compare the clock of this machine with the time'
  if (has('OAUTH_JWT_CLAIM_COMPARISON_FAILED')) return reasonOfClaim(detail('claim'), see)
  if (has('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'))
    return detail('attribute') === 'issuer'
      ? `its configuration names another issuer: see ${see('ISSUER')}`
      : 'its userinfo endpoint returns another user'
  if (has('OAUTH_HTTP_REQUEST_FORBIDDEN', 'OAUTH_REQUEST_PROTOCOL_FORBIDDEN'))
    return `only HTTPS is allowed: see ${see('ISSUER')}`
  if (has('OAUTH_MISSING_SERVER_METADATA', 'OAUTH_INVALID_SERVER_METADATA'))
    return `its configuration has no valid ${String(detail('attribute'))}: see ${see('ISSUER')}`
  if (has('OAUTH_RESPONSE_IS_NOT_CONFORM'))
    return `its ${endpoint} endpoint responds with HTTP status ${String(detail('status'))}${settings}`
  if (has('OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR'))
    return `its ${endpoint} endpoint responds with no JSON that can be read${settings}`
  const last = chain.findLast(isOfLibrary)
  return `its ${endpoint} endpoint responds with something that cannot be used${last ? ` (${String(last.message)})` : ''}${settings}`
}

/**
 * Reason why a sign-in failed; null if the user or the browser caused the failure.
 * @param prefix prefix of the settings of the provider, such as `OIDC`
 */
export const providerReason = (error: unknown, endpoint: Endpoint, prefix: string): string | null => {
  const see: Settings = (...names) =>
    names
      .map((name) => `${prefix}_${name}`)
      .join(', ')
      .replace(/, (?=[^,]+$)/, ' and ')
  const chain = chainOf(error)
  const connection = chain.find(({ name }) => name === 'OutboundError')
  if (connection) return reasonOfConnection(connection, see)
  const [{ code, error: given, message } = {}] = chain
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    if (OF_USER.has(String(given))) return null
    // The error code is not shown, because browsers can forge it.
    return reasonOfCode(String(given), see) ?? 'it responds with an error to the request for a sign-in'
  }
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    const name = /^[\w.-]{1,60}$/.test(String(given)) ? String(given) : 'an error'
    return reasonOfCode(String(given), see) ?? `its ${endpoint} endpoint responds with ${name}`
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE')
    return endpoint === 'userinfo'
      ? `its userinfo endpoint refuses the access token: see ${see('SCOPE')}`
      : reasonOfCode('invalid_client', see)
  if (/"clientSecret"/.test(String(message))) return `a client secret is required: see ${see('CLIENT_SECRET')}`
  if (endpoint === 'token' && chain.some((one) => isOfLibrary(one) && FORGED.test(String(one.message)))) return null
  return reasonOfResponse(chain, endpoint, see)
}

/** Reason if the provider returns no value for a claim that this server needs. */
export const missingClaimReason = (claim: string, prefix: string): string =>
  `it returns no valid ${claim}: see ${claim === 'email' ? '' : `${prefix}_UID_FIELD and `}${prefix}_SCOPE`
