/**
 * A WebAuthn authenticator in software. It creates and uses ES256 credentials like browsers do, and sends wrong values
 * on request.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

const head = (major: number, n: number): Buffer => {
  const type = major << 5
  if (n < 24) return Buffer.from([type | n])
  if (n < 256) return Buffer.from([type | 24, n])
  return Buffer.from([type | 25, n >> 8, n & 255])
}

/** Encodes values as CBOR (RFC 8949), limited to the types that credentials need. */
const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
  return Buffer.concat([head(2, value.length), value])
}

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

interface Credential {
  id: Buffer
  key: KeyObject
  rpId: string
  count: number
}

/** Overrides that make the authenticator's response wrong. */
export interface Lies {
  origin?: string
  rpId?: string
  challenge?: string
  /** Signature counter to send. By default, the counter increases with each response. */
  count?: number
}

export interface Authenticator {
  /** Responds to `navigator.credentials.create`. The options and the result are JSON. */
  create(options: string, origin: string, lies?: Lies): string
  /**
   * Responds to `navigator.credentials.get` with the newest credential for the server in `options`. The options and the
   * result are JSON.
   */
  get(options: string, origin: string, lies?: Lies): string
}

const PRESENT = 1
const VERIFIED = 4
const ATTESTED = 64

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const authData = (rpId: string, flags: number, count: number): Buffer => {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(count)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter])
}

const coseKey = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
}

/** Creates an authenticator without passkeys. */
export const createAuthenticator = (): Authenticator => {
  const credentials: Credential[] = []
  return {
    create(options, origin, lies = {}) {
      const { rp, challenge } = JSON.parse(options) as { rp: { id: string }; challenge: string }
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const credential = { id: randomBytes(32), key: privateKey, rpId: rp.id, count: lies.count ?? 1 }
      credentials.push(credential)
      const length = Buffer.from([0, credential.id.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, credential.id, coseKey(publicKey)])
      const data = Buffer.concat([
        authData(lies.rpId ?? rp.id, PRESENT | VERIFIED | ATTESTED, credential.count),
        attested,
      ])
      const attestation = cbor(
        new Map<string, Cbor>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', data],
        ]),
      )
      const id = credential.id.toString('base64url')
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', lies.challenge ?? challenge, lies.origin ?? origin).toString(
            'base64url',
          ),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      })
    },
    get(options, origin, lies = {}) {
      const { rpId, challenge } = JSON.parse(options) as { rpId: string; challenge: string }
      const credential = credentials.findLast((one) => one.rpId === rpId)
      if (!credential) throw new Error(`this authenticator knows no key for ${rpId}`)
      credential.count = lies.count ?? credential.count + 1
      const data = authData(lies.rpId ?? rpId, PRESENT | VERIFIED, credential.count)
      const client = clientData('webauthn.get', lies.challenge ?? challenge, lies.origin ?? origin)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(credential.key)
      const id = credential.id.toString('base64url')
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      })
    },
  }
}
