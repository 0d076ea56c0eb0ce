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
  /** Every host name of this server, as it is in a Host header. */
  ownHosts: Iterable<string>
  /**
   * Returns the key with exactly this id, or null. It is called only after every check that needs no key.
   *
   * Its errors (a blocked host, a temporary failure) reach the caller unchanged, and nothing counts as verified.
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

/** Claims of the signatures of a request, each checked as far as possible without a key. Refusals are in their place. */
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
 * Verifies the signer of a request, or returns the reason of the refusal.
 *
 * If the refusal is `refreshable`, fetch the key again, once, and verify again. The caller still has to prove that the key belongs
 * to the actor of the activity.
 */
export const verifyRequest = async (input: VerifyRequestInput): Promise<Verified | Refused> => {
  const [first = refuse('no-signature'), second] = claimsOf(input)
  const outcome = await prove(first, input.getKey)
  return outcome.ok || second === undefined ? outcome : chooseOutcome(outcome, await prove(second, input.getKey))
}

/** With two labels, one valid signature suffices. Of two refusals the one that a new key could change is returned. */
const chooseOutcome = (first: Refused, second: Verified | Refused): Verified | Refused =>
  second.ok || (second.refreshable && !first.refreshable) ? second : first
