/** OpenID Connect client: discovery, authorization request, and claims of the response. */
import { errorText, type Failure, fail } from '@murmuration/contracts/kit'
import { type Outbound, OutboundError } from '@murmuration/outbound'
import { asciiEmail } from '@murmuration/text'
import * as oidc from 'openid-client'
import type { ProviderPlan } from '../provider-settings.js'
import { type Endpoint, missingClaimReason, providerReason } from './provider-reason.rules.js'

/** Claims of a provider about a user, after validation. */
export interface Claims {
  /** Permanent identifier of the user at this provider. */
  readonly subject: string
  readonly email: string | null
  /** True if the provider verified the address, or if the configuration of this server trusts its addresses. */
  readonly emailVerified: boolean
  readonly username: string | null
  readonly name: string | null
}

/** Secrets of one authorization request. Only this server and the browser of the user know the secrets. */
export interface AuthorizationSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface IdentityProvider {
  readonly id: string
  readonly name: string
  /** Returns the URL to send the browser to, and the state that the response must match. */
  depart(): Promise<{ redirect: string; trip: AuthorizationSecrets }>
  /**
   * Validates the response of the provider. Throws `forbidden` if the response proves no identity, and `unavailable` if
   * the provider cannot be reached.
   */
  arrive(query: string, trip: AuthorizationSecrets): Promise<Claims>
  /** Logs that the provider returned no e-mail address, and returns the error for the user. */
  withoutEmail(): Failure
}

const KEPT_MS = 3_600_000
const MAX_BYTES = 1_048_576
const TIMEOUT_MS = 6_000
const MAX_TEXT = 255

/** Sends requests of the OpenID library through the outbound client. */
const through =
  (outbound: Outbound): oidc.CustomFetch =>
  async (url, { method, headers, body }) => {
    const sent = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined
    const {
      status,
      headers: received,
      body: bytes,
    } = await outbound.request({
      method: method as 'GET' | 'POST',
      url,
      headers: Object.fromEntries(
        Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined),
      ),
      ...(sent === undefined ? {} : { body: sent }),
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      redirects: 0,
    })
    // The outbound client has decoded the body already, so these headers no longer describe it.
    const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = received
    return new Response([204, 304].includes(status) ? null : new Uint8Array(bytes), { status, headers: rest })
  }

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : null
const emailOf = (claim: unknown): string | null => {
  const email = textOf(claim)
  return email === null ? null : asciiEmail(email)
}

/** Reads a boolean claim. Some identity providers send booleans as text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** Whether an error means that the provider could not be reached. Other errors mean an invalid response. */
const isAway = (error: unknown): boolean => {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof OutboundError || one instanceof TypeError) return true
  return false
}

const unavailable = (name: string, cause: unknown): Failure =>
  fail('unavailable', errorText('{name} is currently unavailable.', { name }), { cause, retryAfter: 10 })

const refused = (name: string, cause?: unknown): Failure =>
  fail('forbidden', errorText('{name} did not confirm who you are.', { name }), { cause })

export const createIdentityProvider = (
  plan: ProviderPlan,
  server: {
    origin: string
    insecure: boolean
    outbound: Outbound
    now: () => number
    /** Logs for the operator why sign-ins fail. */
    report: (reason: string) => void
  },
): IdentityProvider => {
  const redirectUri = plan.redirectUri || `${server.origin}/auth/auth/${plan.id}/callback`
  const report = (reason: string): void => server.report(`sign-in with ${plan.name} fails: ${reason}`)
  const failureOf = (error: unknown, endpoint: Endpoint): Failure => {
    const reason = providerReason(error, endpoint, plan.prefix)
    if (reason !== null) report(reason)
    return isAway(error) ? unavailable(plan.name, error) : refused(plan.name, error)
  }
  let known: { at: number; config: Promise<oidc.Configuration> } | null = null

  const discover = async (): Promise<oidc.Configuration> =>
    oidc.discovery(
      new URL(plan.issuer),
      plan.clientId,
      { redirect_uris: [redirectUri] },
      plan.clientAuth === 'post' ? oidc.ClientSecretPost(plan.clientSecret) : oidc.ClientSecretBasic(plan.clientSecret),
      {
        [oidc.customFetch]: through(server.outbound),
        ...(server.insecure ? { execute: [oidc.allowInsecureRequests] } : {}),
      },
    )
  const configuration = (): Promise<oidc.Configuration> => {
    if (known && server.now() - known.at < KEPT_MS) return known.config
    const config = discover()
    known = { at: server.now(), config }
    // A failed discovery of the provider is not cached, so that the next request tries again.
    config.catch(() => {
      known = null
    })
    return config
  }

  return {
    id: plan.id,
    name: plan.name,
    async depart() {
      const trip = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
      try {
        const scope = new Set(['openid', ...plan.scope.split(/[\s,]+/).filter(Boolean)])
        const redirect = oidc.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: [...scope].join(' '),
          state: trip.state,
          nonce: trip.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(trip.verifier),
          code_challenge_method: 'S256',
          ...(plan.prompt ? { prompt: plan.prompt } : {}),
        })
        return { redirect: redirect.href, trip }
      } catch (error) {
        throw failureOf(error, 'discovery')
      }
    },
    async arrive(query, trip) {
      let endpoint: Endpoint = 'discovery'
      let claims: Record<string, unknown>
      try {
        const config = await configuration()
        endpoint = 'token'
        const back = new URL(redirectUri)
        back.search = query
        const tokens = await oidc.authorizationCodeGrant(config, back, {
          expectedState: trip.state,
          expectedNonce: trip.nonce,
          pkceCodeVerifier: trip.verifier,
          idTokenExpected: true,
        })
        const proved = tokens.claims() ?? { sub: '' }
        const userinfoEndpoint = config.serverMetadata().userinfo_endpoint
        if (userinfoEndpoint) endpoint = 'userinfo'
        const userinfo = userinfoEndpoint ? await oidc.fetchUserInfo(config, tokens.access_token, proved.sub) : {}
        claims = { ...userinfo, ...proved }
      } catch (error) {
        throw failureOf(error, endpoint)
      }
      const subject = textOf(claims[plan.uidField])
      if (subject === null) {
        report(missingClaimReason(plan.uidField, plan.prefix))
        throw refused(plan.name)
      }
      return {
        subject,
        email: emailOf(claims.email),
        emailVerified: plan.assumeVerified || isTrue(claims.email_verified),
        username: textOf(claims.preferred_username) ?? textOf(claims.nickname),
        name: textOf(claims.name),
      }
    },
    withoutEmail() {
      report(missingClaimReason('email', plan.prefix))
      return fail(
        'forbidden',
        errorText('{provider} did not return an e-mail address, which an account needs.', { provider: plan.name }),
      )
    },
  }
}
