/** Reasons for which a signature is refused, with the HTTP status of the response. */

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
  /** HTTP status of the response: 400 if a signature header is not a valid structured field (RFC 8941), else 401. */
  status: 400 | 401
  /** True if the caller should fetch the key again and verify once more, at most once per request. */
  refreshable: boolean
  /** Key id in the signature header; null if it could not be parsed. */
  keyId: string | null
}

const malformed: ReadonlySet<SignatureRefusal> = new Set(['malformed-signature-input', 'malformed-content-digest'])
const curedByNewKey: ReadonlySet<SignatureRefusal> = new Set(['key-mismatch', 'wrong-signature'])

/** Creates the refusal of a signature for a reason. */
export const refuse = (reason: SignatureRefusal, keyId: string | null = null): Refused => ({
  ok: false,
  reason,
  status: malformed.has(reason) ? 400 : 401,
  refreshable: curedByNewKey.has(reason),
  keyId,
})

/** True if the result of a verification step is a refusal. */
export const isRefused = (outcome: object): outcome is Refused => 'ok' in outcome && outcome.ok === false
