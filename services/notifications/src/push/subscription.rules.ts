/** Parameters of a push subscription as clients send them: keys, alerts and policy. */
import { createPublicKey } from 'node:crypto'
import { NotificationType, type PushAlerts, PushPolicy } from '@murmuration/contracts/entities'
import { flagOr, invalidField } from '@murmuration/contracts/kit'

const cast = flagOr(false)

/** Booleans of the types that were named; unknown types are dropped. */
export const readAlerts = (given: Readonly<Record<string, unknown>>): PushAlerts =>
  Object.fromEntries(
    NotificationType.options.filter((type) => given[type] !== undefined).map((type) => [type, cast.parse(given[type])]),
  )

export const readPolicy = (given: string | null): PushPolicy => {
  const policy = PushPolicy.safeParse(given ?? 'all')
  if (!policy.success) throw invalidField('Policy is not included in the list')
  return policy.data
}

/** Alerts in POST and PUT. An absent alert is off, and an absent policy is `all`. */
export const readWishes = (input: {
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

/** Keys in base64url: an uncompressed P-256 point and 16 secret bytes; base64 is accepted. Throws the text clients know. */
export const readKeys = (
  keys: { p256dh?: string | null | undefined; auth?: string | null | undefined } | '' | null | undefined,
): PushKeys => {
  const point = bytesOf(keys ? keys.p256dh : null)
  const auth = bytesOf(keys ? keys.auth : null)
  if (point?.length !== 65 || point[0] !== 4 || auth?.length !== 16 || !isOnCurve(point))
    throw invalidField('is not a valid Ed25519 or Curve25519 key')
  return { p256dh: point.toString('base64url'), auth: auth.toString('base64url') }
}
