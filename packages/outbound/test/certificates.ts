/** Creates a certificate authority and server certificates for tests, in handwritten X.509 DER. */

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** Key and certificate as PEM, ready for a TLS server. */
export type Certificate = { key: string; cert: string }

/** Names and validity of a certificate, in milliseconds since the epoch. The default validity is a day around now. */
export type Claims = { names: string[]; notBefore?: number; notAfter?: number }

/** A certificate authority. `cert` is the root certificate for clients. */
export type Authority = { cert: string; issue(claims: Claims): Certificate }

const dayMs = 86_400_000
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))

/** Creates an authority. Authorities with the same name do not trust each other's certificates. */
export function makeAuthority(name = 'Test authority'): Authority {
  const ca = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const build = (claims: Claims, subject: string, publicKey: KeyObject, extensions: Buffer[]) => {
    const now = Date.now()
    const body = sequence(
      tag(0xa0, integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      ecdsaWithSha256,
      commonName(name),
      sequence(time(claims.notBefore ?? now - dayMs), time(claims.notAfter ?? now + dayMs)),
      commonName(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      tag(0xa3, sequence(...extensions)),
    )
    const signature = sign('sha256', body, ca.privateKey)
    return pem(sequence(body, ecdsaWithSha256, tag(0x03, Buffer.concat([Buffer.from([0]), signature]))))
  }
  const isAuthority = sequence(oid('551d13'), tag(0x01, Buffer.from([0xff])), tag(0x04, sequence(yes())))
  return {
    cert: build({ names: [] }, name, ca.publicKey, [isAuthority]),
    issue(claims) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const names = sequence(oid('551d11'), tag(0x04, sequence(...claims.names.map(alternativeName))))
      return {
        cert: build(claims, claims.names[0] ?? 'nobody', own.publicKey, [names]),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      }
    },
  }
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 4 ? tag(0x87, Buffer.from(name.split('.').map(Number))) : tag(0x82, Buffer.from(name))
}

function commonName(text: string): Buffer {
  return sequence(tag(0x31, sequence(oid('550403'), tag(0x0c, Buffer.from(text)))))
}

function time(ms: number): Buffer {
  return tag(
    0x18,
    Buffer.from(
      new Date(ms)
        .toISOString()
        .replace(/[-:T]/g, '')
        .replace(/\.\d+Z$/, 'Z'),
    ),
  )
}

function yes(): Buffer {
  return tag(0x01, Buffer.from([0xff]))
}

function oid(hex: string): Buffer {
  return tag(0x06, Buffer.from(hex, 'hex'))
}

function integer(bytes: Buffer): Buffer {
  return tag(0x02, bytes)
}

function sequence(...parts: Buffer[]): Buffer {
  return tag(0x30, Buffer.concat(parts))
}

function tag(type: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([type, ...length]), content])
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
