/** A certificate authority for tests, without an external program or package. It issues certificates for any names. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { bits, der, integer, objectId, octets, sequence, set, time, utf8 } from './der.js'

export interface Certificate {
  /** Private key of the certificate, as PEM (PKCS#8). */
  key: string
  /** PEM of the leaf certificate only. */
  cert: string
}

export interface Authority {
  /** Root certificate in PEM, for `ca` options and files of trusted certificates. */
  certificate: string
  /**
   * Issues a certificate for these DNS names and IP addresses. The first name is also the common name.
   *
   * @param valid start and end of the validity; by default from yesterday for a month
   */
  issue(names: readonly string[], valid?: { from?: Date; until?: Date }): Certificate
}

const DAY_MS = 86_400_000
const ECDSA_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'))

/** Creates an authority with a new root certificate (EC P-256, X.509 v3 as in RFC 5280). */
export const createAuthority = (commonName = 'Murmuration test authority'): Authority => {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certify = (subject: string, key: KeyObject, extensions: Buffer[], from: Date, until: Date): string => {
    const content = sequence(
      der(0xa0, integer(2)),
      integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
      ECDSA_SHA256,
      named(commonName),
      sequence(time(from), time(until)),
      named(subject),
      key.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(...extensions, keyIdentifier(key), authorityIdentifier(root.publicKey))),
    )
    const signature = sign('sha256', content, { key: root.privateKey, dsaEncoding: 'der' })
    return pem('CERTIFICATE', sequence(content, ECDSA_SHA256, bits(signature)))
  }
  const from = new Date(Date.now() - DAY_MS)
  const certificate = certify(
    commonName,
    root.publicKey,
    [
      extension('2.5.29.19', sequence(der(0x01, Buffer.from([0xff]))), true),
      extension('2.5.29.15', bits([0x06], 1), true),
    ],
    from,
    new Date(from.getTime() + 3650 * DAY_MS),
  )
  return {
    certificate,
    issue: (names, valid = {}) => {
      if (names.length === 0) throw new Error('a certificate needs at least one name')
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const extensions = [
        extension('2.5.29.19', sequence(), true),
        extension('2.5.29.15', bits([0x80], 7), true),
        extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.17', sequence(...names.map(alternativeName))),
      ]
      const until = valid.until ?? new Date(Date.now() + 30 * DAY_MS)
      return {
        key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
        cert: certify(names[0]!, leaf.publicKey, extensions, valid.from ?? from, until),
      }
    },
  }
}

const named = (commonName: string): Buffer =>
  sequence(set(sequence(objectId('2.5.4.3'), utf8(commonName.slice(0, 64)))))

/** Subject key identifier. Strict verifiers (X509_STRICT) require it and the authority key identifier. */
const keyIdentifier = (key: KeyObject): Buffer => extension('2.5.29.14', octets(keyHash(key)))

const authorityIdentifier = (key: KeyObject): Buffer => extension('2.5.29.35', sequence(der(0x80, keyHash(key))))

const keyHash = (key: KeyObject): Buffer =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(objectId(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), octets(value))

/** A GeneralName of a certificate (RFC 5280): a host name has tag 2, an IP address tag 7. */
const alternativeName = (name: string): Buffer => {
  if (isIP(name) === 0) return der(0x82, Buffer.from(name, 'latin1'))
  if (isIP(name) === 6) throw new Error(`certificates for IPv6 addresses are not made here: ${name}`)
  return der(0x87, Buffer.from(name.split('.').map(Number)))
}

const pem = (label: string, content: Buffer): string =>
  `-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`
