/** Logins at other providers by OpenID Connect: discovery, the way there, and what they say of who came back. */
import { fail } from '@murmuration/contracts/kit'
import { type Outbound, OutboundError } from '@murmuration/outbound'
import * as oidc from 'openid-client'
import type { ProviderPlan } from '../provider-settings.js'

/** Claims of a provider, as far as they are trusted. */
export interface Claims {
  /** Names the person for good at this provider. */
  readonly subject: string
  readonly email: string | null
  /** The provider proved the address, or its operator vouches for it. */
  readonly emailVerified: boolean
  readonly username: string | null
  readonly name: string | null
}

/** State of one authorization request, which only this server and this browser know. */
export interface Trip {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface IdentityProvider {
  readonly id: string
  readonly name: string
  /** The address to send the browser to, and what must fit when it comes back. */
  depart(): Promise<{ redirect: string; trip: Trip }>
  /** Checks what the browser brought back. Throws a Failure: `forbidden` when it proves nothing, `unavailable` when the provider cannot be asked. */
  arrive(query: string, trip: Trip): Promise<Claims>
}

const KEPT_MS = 3_600_000
const MOST_BYTES = 1_048_576
const TIMEOUT_MS = 6_000
const MOST_TEXT = 255

/** The library's requests through the guarded client. */
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
      maxBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
      redirects: 0,
    })
    // The body is decoded already.
    const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = received
    return new Response([204, 304].includes(status) ? null : new Uint8Array(bytes), { status, headers: rest })
  }

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MOST_TEXT ? value : null

/** Some providers write the truth as text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** Whether the trouble lies with reaching the provider rather than with what the browser brought. */
const isAway = (error: unknown): boolean => {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof OutboundError || one instanceof TypeError) return true
  return false
}

const failureOf = (name: string, error: unknown) =>
  isAway(error)
    ? fail('unavailable', `${name} cannot be reached at the moment.`, { cause: error, retryAfter: 10 })
    : fail('forbidden', `${name} did not confirm who you are.`, { cause: error })

export const createIdentityProvider = (
  plan: ProviderPlan,
  house: { origin: string; insecure: boolean; outbound: Outbound; now: () => number },
): IdentityProvider => {
  const redirectUri = plan.redirectUri || `${house.origin}/auth/auth/${plan.id}/callback`
  let known: { at: number; config: Promise<oidc.Configuration> } | null = null

  const discover = async (): Promise<oidc.Configuration> =>
    oidc.discovery(
      new URL(plan.issuer),
      plan.clientId,
      { redirect_uris: [redirectUri] },
      plan.clientAuth === 'post' ? oidc.ClientSecretPost(plan.clientSecret) : oidc.ClientSecretBasic(plan.clientSecret),
      {
        [oidc.customFetch]: through(house.outbound),
        ...(house.insecure ? { execute: [oidc.allowInsecureRequests] } : {}),
      },
    )
  const configuration = (): Promise<oidc.Configuration> => {
    if (known && house.now() - known.at < KEPT_MS) return known.config
    const config = discover()
    known = { at: house.now(), config }
    // A provider that was away is asked again next time.
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
        throw failureOf(plan.name, error)
      }
    },
    async arrive(query, trip) {
      try {
        const config = await configuration()
        const back = new URL(redirectUri)
        back.search = query
        const tokens = await oidc.authorizationCodeGrant(config, back, {
          expectedState: trip.state,
          expectedNonce: trip.nonce,
          pkceCodeVerifier: trip.verifier,
          idTokenExpected: true,
        })
        const proved = tokens.claims() ?? { sub: '' }
        const told = config.serverMetadata().userinfo_endpoint
          ? await oidc.fetchUserInfo(config, tokens.access_token, proved.sub)
          : {}
        const claims: Record<string, unknown> = { ...told, ...proved }
        const subject = textOf(claims[plan.uidField])
        if (subject === null) throw new Error(`the provider tells no ${plan.uidField}`)
        return {
          subject,
          email: textOf(claims.email),
          emailVerified: plan.assumeVerified || isTrue(claims.email_verified),
          username: textOf(claims.preferred_username) ?? textOf(claims.nickname),
          name: textOf(claims.name),
        }
      } catch (error) {
        throw failureOf(plan.name, error)
      }
    },
  }
}
