/** Verifies the sender of a web push message by its VAPID token (RFC 8292), in both versions of the protocol. */
import { createPublicKey, verify } from 'node:crypto'
import { parameter } from './push-decrypt.js'

export interface VapidClaims {
  aud: string
  /** Expiry time of the token, in seconds since 1970. */
  exp: number
  sub?: string
}

export interface Vapid {
  claims: VapidClaims
  /** Public key of the sender as in the request: base64url of the uncompressed point. */
  publicKey: string
}

/**
 * Verifies `Authorization: vapid t=…,k=…`, or `Authorization: WebPush …` with the key in `Crypto-Key`.
 *
 * @param origin origin of the push service, which must be the audience of the token
 * @throws Error with the reason
 */
export const checkVapid = (
  headers: Record<string, string | string[] | undefined>,
  origin: string,
  now = Date.now(),
): Vapid => {
  const authorization = String(headers.authorization ?? '')
  const { token, key } = /^vapid /i.test(authorization)
    ? {
        token: /[ ,]t=([\w.-]+)/.exec(authorization)?.[1],
        key: parameter(authorization.slice(6), 'k', 'Authorization'),
      }
    : {
        token: /^WebPush ([\w.-]+)$/.exec(authorization)?.[1],
        key: parameter(headers['crypto-key'], 'p256ecdsa', 'Crypto-Key'),
      }
  const [head, body, signature] = token?.split('.') ?? []
  if (!head || !body || !signature) throw new Error('Authorization carries no VAPID token')
  const { alg, typ } = decode<{ alg?: string; typ?: string }>(head)
  if (alg !== 'ES256' || typ !== 'JWT') throw new Error(`the token is ${typ} with ${alg}, not a JWT with ES256`)
  const publicKey = { key: pointToKey(key), dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url')))
    throw new Error('the token is not signed by the key beside it')
  const claims = decode<VapidClaims>(body)
  if (claims.aud !== origin) throw new Error(`the token is for ${claims.aud}, not for ${origin}`)
  const left = claims.exp - now / 1000
  if (!(left > 0 && left <= 24 * 3600 + 60))
    throw new Error(`the token lives for ${left} s; more than 0, at most a day`)
  if (!/^(mailto:|https:)/.test(claims.sub ?? '')) throw new Error('the token names no contact in sub')
  return { claims, publicKey: key.toString('base64url') }
}

const decode = <T>(part: string): T => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as T

const pointToKey = (point: Buffer) => {
  if (point.length !== 65 || point[0] !== 4) throw new Error('the VAPID key is not an uncompressed P-256 point')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
}
