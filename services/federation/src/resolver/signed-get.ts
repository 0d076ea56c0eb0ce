/**
 * Signed GET: tries the signature scheme that the host accepted last, then the other schemes, and caches the accepted
 * scheme.
 */

import { signRequest } from '@murmuration/activitypub/signatures/sign-request'
import { type Outbound, OutboundError, type OutboundResponse } from '@murmuration/outbound'
import type { Signer } from '../core/address/self.js'
import type { SignatureScheme } from '../core/signature/scheme.rules.js'
import type { KnownSchemes } from './signature-scheme.js'

export interface SignedGet {
  outbound: Outbound
  /** Returns the key of the local account with the id `as`, or of the instance actor. */
  signer: (as?: string) => Promise<Pick<Signer, 'keyId' | 'privateKey'>>
  now: () => number
  knownSchemes: KnownSchemes
}

export interface GetOptions {
  accept: string
  maxBytes: number
  /** Time-out for all attempts together, in milliseconds. */
  timeoutMs: number
  /**
   * `obstacle` is called for each redirect. Returns the reason why the redirect may not be followed: never (`refused`)
   * or not now (`later`); else null.
   */
  obstacle: (url: URL) => Promise<'refused' | 'later' | null>
  /** Id of the local account that signs the request; the instance actor if absent. */
  as?: string
  /** `onResponse` is called for each response of the host, also for a redirect or a refused signature. */
  onResponse?: () => void
}

const REFUSED_SIGNATURE = new Set([400, 401])

/** Schemes to try, in order, `known` first. `cavage-without-query` is tried only for an address with a query. */
const schemesFor = (url: URL, known: SignatureScheme): SignatureScheme[] => {
  const usual: SignatureScheme[] = url.search ? ['cavage', 'cavage-without-query', 'rfc9421'] : ['cavage', 'rfc9421']
  return usual.includes(known) ? [known, ...usual.filter((one) => one !== known)] : usual
}

const headersFor = async (it: SignedGet, url: string, { accept, as }: GetOptions, scheme: SignatureScheme) => {
  const { keyId, privateKey } = await it.signer(as)
  return signRequest({
    method: 'GET',
    url,
    headers: { accept },
    body: null,
    keyId,
    privateKey,
    now: it.now(),
    scheme: scheme === 'rfc9421' ? 'rfc9421' : 'cavage',
    omitQuery: scheme === 'cavage-without-query',
  })
}

const attempt = async (it: SignedGet, url: string, options: GetOptions, scheme: SignatureScheme, timeoutMs: number) =>
  it.outbound.request({
    method: 'GET',
    url,
    headers: await headersFor(it, url, options, scheme),
    maxBytes: options.maxBytes,
    timeoutMs,
    redirects: 3,
    onRedirect: async (hop) => {
      options.onResponse?.()
      const obstacle = await options.obstacle(hop)
      if (obstacle === 'refused') throw new OutboundError('forbidden_address', 'the redirect target is not allowed')
      if (obstacle === 'later')
        throw new OutboundError('redirect', 'the redirect target may not be requested now', { retryable: true })
      return headersFor(it, hop.href, options, scheme)
    },
  })

/**
 * The response to the first signature scheme that the host did not refuse, else the last refusal. Rejects with
 * `OutboundError`.
 */
export const signedGet = async (it: SignedGet, url: string, options: GetOptions): Promise<OutboundResponse> => {
  const parsed = new URL(url)
  const endsAt = performance.now() + options.timeoutMs
  const known = await it.knownSchemes.of(parsed.host)
  let last: OutboundResponse | undefined
  for (const scheme of schemesFor(parsed, known)) {
    const left = Math.floor(endsAt - performance.now())
    if (left < 1) break
    last = await attempt(it, url, options, scheme, left)
    options.onResponse?.()
    if (!REFUSED_SIGNATURE.has(last.status)) {
      // The accepted scheme is not stored if the known scheme was not tried, because the known scheme applies only to
      // addresses with a query.
      if (last.status < 300 && schemesFor(parsed, known).includes(known))
        await it.knownSchemes.note(parsed.host, scheme)
      return last
    }
  }
  if (last === undefined) throw new OutboundError('timeout', 'no time was left for the request')
  return last
}
