/** Verifies the signature of an incoming request, of either scheme; the key is looked up by the caller. */

import { readCavageClaim } from './cavage.js'
import { type Claim, disproved, type Scheme } from './claim.js'
import type { VerificationKey } from './keys.js'
import { isRefused, type Refused, refuse } from './refusal.js'
import { comparableHost, type SignedRequest } from './request.js'
import { readMessageClaims } from './rfc9421.js'

export type VerifyRequestInput = SignedRequest & {
  /** Milliseconds since the epoch. */
  now: number
  /** Scheme and host under which the outside knows us, without a trailing slash. */
  publicOrigin: string
  /** Every host name that is ours, as it stands in a Host header. */
  ownHosts: Iterable<string>
  /**
   * The key of this exact id, or null when there is none. It is asked only after every check that needs no key has passed.
   * What it throws (a blocked host, a lookup that may work later) goes to the caller unchanged; nothing counts as verified.
   */
  getKey: (keyId: string) => Promise<VerificationKey | null>
}

/** The same without a key: what can be checked before there is one. */
export type ClaimsInput = Omit<VerifyRequestInput, 'getKey'>

export type Verified = {
  ok: true
  keyId: string
  scheme: Scheme
  /** When it was signed, ms since the epoch. */
  made: number
}

const prove = async (claim: Claim | Refused, getKey: VerifyRequestInput['getKey']): Promise<Verified | Refused> => {
  if (isRefused(claim)) return claim
  const key = await getKey(claim.keyId)
  if (key === null) return refuse('unknown-key', claim.keyId)
  return disproved(claim, key) ?? { ok: true, keyId: claim.keyId, scheme: claim.scheme, made: claim.made }
}

/** What the signatures of a request claim, each checked as far as it goes without a key; refusals stand in their place. */
export const claimsOf = (input: ClaimsInput): readonly (Claim | Refused)[] => {
  const place = {
    now: input.now,
    publicOrigin: input.publicOrigin,
    ownHosts: new Set([...input.ownHosts].map(comparableHost)),
  }
  // A request with both kinds of headers is judged by the newer kind alone: the stricter of two must not be avoidable.
  return input.headers['signature-input'] === undefined
    ? [readCavageClaim(input, place)]
    : readMessageClaims(input, place)
}

/**
 * Who signed this request, or the named reason why nobody can be said to have. When the refusal is `refreshable`, fetch the
 * key anew, once, and verify again. The caller still has to prove that the key belongs to the actor of what was sent.
 */
export const verifyRequest = async (input: VerifyRequestInput): Promise<Verified | Refused> => {
  const [first = refuse('no-signature'), second] = claimsOf(input)
  const outcome = await prove(first, input.getKey)
  return outcome.ok || second === undefined ? outcome : chooseOutcome(outcome, await prove(second, input.getKey))
}

/** With two labels one good one is enough; of two refusals the one that a new key could cure is told. */
const chooseOutcome = (first: Refused, second: Verified | Refused): Verified | Refused =>
  second.ok || (second.refreshable && !first.refreshable) ? second : first
