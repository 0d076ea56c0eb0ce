/** Verifies the HTTP signature of an incoming request (draft-cavage-12 or RFC 9421). The caller looks up the key. */

import { readCavageClaim } from './cavage.js'
import { type Claim, disproved, type Scheme } from './claim.js'
import type { VerificationKey } from './keys.js'
import { isRefused, type Refused, refuse } from './refusal.js'
import { comparableHost, type SignedRequest } from './request.js'
import { readMessageClaims } from './rfc9421.js'

export type VerifyRequestInput = SignedRequest & {
  /** Current time in milliseconds since the epoch. */
  now: number
  /** Public origin of this server, such as `https://social.example`. */
  publicOrigin: string
  /** All host names of this server, as in a `Host` header. */
  ownHosts: Iterable<string>
  /**
   * Returns the key with exactly this id, or null. `getKey` is called only after every check that needs no key.
   *
   * Errors of `getKey` (a blocked host, a temporary failure) reach the caller unchanged, and the request then does not
   * count as verified.
   */
  getKey: (keyId: string) => Promise<VerificationKey | null>
}

/** Input for the checks of a signature that need no key. */
export type ClaimsInput = Omit<VerifyRequestInput, 'getKey'>

export type Verified = {
  ok: true
  keyId: string
  scheme: Scheme
  /** Time of the signature, ms since the epoch. */
  made: number
}

const prove = async (claim: Claim | Refused, getKey: VerifyRequestInput['getKey']): Promise<Verified | Refused> => {
  if (isRefused(claim)) return claim
  const key = await getKey(claim.keyId)
  if (key === null) return refuse('unknown-key', claim.keyId)
  return disproved(claim, key) ?? { ok: true, keyId: claim.keyId, scheme: claim.scheme, made: claim.made }
}

/** Claims of the signatures of a request, after all checks that need no key. A signature that fails a check yields its refusal. */
export const claimsOf = (input: ClaimsInput): readonly (Claim | Refused)[] => {
  const context = {
    now: input.now,
    publicOrigin: input.publicOrigin,
    ownHosts: new Set([...input.ownHosts].map(comparableHost)),
  }
  // If a request has signatures of both schemes, only RFC 9421 counts, so that a sender cannot evade the stricter
  // scheme.
  return input.headers['signature-input'] === undefined
    ? [readCavageClaim(input, context)]
    : readMessageClaims(input, context)
}

/**
 * Verifies the signature of a request. Returns the key id and the time of the signature, or the refusal.
 *
 * If the refusal is `refreshable`, the caller fetches the key again and verifies once more. The caller must also check
 * that the key belongs to the actor of the activity.
 */
export const verifyRequest = async (input: VerifyRequestInput): Promise<Verified | Refused> => {
  const [first = refuse('no-signature'), second] = claimsOf(input)
  const outcome = await prove(first, input.getKey)
  return outcome.ok || second === undefined ? outcome : chooseOutcome(outcome, await prove(second, input.getKey))
}

/**
 * Combines the results of the two signatures of a request: one valid signature suffices. If both are refused, a
 * `refreshable` refusal is preferred.
 */
const chooseOutcome = (first: Refused, second: Verified | Refused): Verified | Refused =>
  second.ok || (second.refreshable && !first.refreshable) ? second : first
