/** Why a signature was refused: the closed list of reasons, and what the caller may do about each. */

export type SignatureRefusal =
  | 'no-signature'
  | 'bad-method'
  | 'malformed-signature'
  | 'malformed-signature-input'
  | 'malformed-content-digest'
  | 'bad-key-id'
  | 'own-key'
  | 'unsupported-algorithm'
  | 'not-covered'
  | 'unsupported-component'
  | 'missing-header'
  | 'wrong-host'
  | 'bad-time'
  | 'made-in-future'
  | 'expired'
  | 'digest-mismatch'
  | 'unknown-key'
  | 'key-mismatch'
  | 'wrong-signature'

export type Refused = {
  ok: false
  reason: SignatureRefusal
  /** Status of the response: 400 for headers that are no structured fields, else 401. */
  status: 400 | 401
  /** True when fetching the key again could change the outcome; tried once per request at most. */
  refreshable: boolean
  /** The key id that was named, when it could be read. */
  keyId: string | null
}

const malformed: ReadonlySet<SignatureRefusal> = new Set(['malformed-signature-input', 'malformed-content-digest'])
const curedByNewKey: ReadonlySet<SignatureRefusal> = new Set(['key-mismatch', 'wrong-signature'])

/** A refusal with the status and the advice that belong to its reason. */
export const refuse = (reason: SignatureRefusal, keyId: string | null = null): Refused => ({
  ok: false,
  reason,
  status: malformed.has(reason) ? 400 : 401,
  refreshable: curedByNewKey.has(reason),
  keyId,
})

/** True when a reading step ended in a refusal rather than in a value. */
export const isRefused = (outcome: object): outcome is Refused => 'ok' in outcome && outcome.ok === false
