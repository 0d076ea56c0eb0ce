/** Tokens of links that need no sign-in: an id and its expiry, signed with HMAC-SHA-256. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const signature = (secret: string, text: string): Buffer =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(text).digest()

/** Returns `<id>.<Unix seconds>.<signature>`. `secret` is derived with `derive`, a separate one for each kind of link. */
export const signId = (secret: string, id: string, untilMs: number): string => {
  const text = `${id}.${Math.floor(untilMs / 1000)}`
  return `${text}.${signature(secret, text).toString('base64url')}`
}

/** Id of a token; null if the token is expired or its signature is wrong. */
export const readSignedId = (secret: string, token: string, nowMs: number): string | null => {
  const [id = '', until = '', given = ''] = token.split('.')
  if (!/^\d{1,19}$/.test(id) || !/^\d{1,15}$/.test(until)) return null
  const expected = signature(secret, `${id}.${until}`)
  const bytes = Buffer.from(given, 'base64url')
  const genuine = bytes.length === expected.length && timingSafeEqual(bytes, expected)
  return genuine && Number(until) * 1000 > nowMs ? id : null
}
