/** Validates parameters of a push subscription as clients send them: keys, alerts and policy. */
import { createPublicKey } from 'node:crypto'
import { NotificationType, type PushAlerts, PushPolicy } from '@murmuration/contracts/entities'
import { flagOr, invalidField } from '@murmuration/contracts/kit'

const cast = flagOr(false)

/**
 * Whether the client wants push messages, by notification type. Only types that the client sent are included; unknown
 * types are ignored.
 */
export const readAlerts = (given: Readonly<Record<string, unknown>>): PushAlerts =>
  Object.fromEntries(
    NotificationType.options.filter((type) => given[type] !== undefined).map((type) => [type, cast.parse(given[type])]),
  )

export const readPolicy = (given: string | null): PushPolicy => {
  const policy = PushPolicy.safeParse(given ?? 'all')
  if (!policy.success) throw invalidField('Policy is not included in the list')
  return policy.data
}

/**
 * Reads alerts and policy of a push subscription in a POST or PUT request. A type without an alert is off. Without a
 * policy, it is `all`.
 */
export const readSettings = (input: {
  data?:
    | { alerts?: Record<string, unknown> | '' | null | undefined; policy?: string | null | undefined }
    | ''
    | null
    | undefined
  policy?: string | null | undefined
}): { alerts: PushAlerts; policy: PushPolicy } => {
  const data = input.data || null
  return { alerts: readAlerts(data?.alerts || {}), policy: readPolicy(data?.policy || input.policy || null) }
}

const bytesOf = (text: string | null | undefined): Buffer | null =>
  text && /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null

const isOnCurve = (point: Buffer): boolean => {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

export interface PushKeys {
  p256dh: string
  auth: string
}

/**
 * Returns the keys of a push subscription in base64url: `p256dh` is an uncompressed P-256 point (65 bytes), `auth` a
 * secret of 16 bytes (RFC 8291). Accepts base64 and base64url. Throws the error text of Mastodon, although that text
 * names other curves.
 */
export const readKeys = (
  keys: { p256dh?: string | null | undefined; auth?: string | null | undefined } | '' | null | undefined,
): PushKeys => {
  const point = bytesOf(keys ? keys.p256dh : null)
  const auth = bytesOf(keys ? keys.auth : null)
  if (point?.length !== 65 || point[0] !== 4 || auth?.length !== 16 || !isOnCurve(point))
    throw invalidField('is not a valid Ed25519 or Curve25519 key')
  return { p256dh: point.toString('base64url'), auth: auth.toString('base64url') }
}
