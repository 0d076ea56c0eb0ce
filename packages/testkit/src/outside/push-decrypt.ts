/** Decrypts web push messages: aes128gcm (RFC 8291) and the older aesgcm (draft-04). */
import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

/** The secrets of one subscription, which a browser has. */
export interface PushSecrets {
  /** P-256 key pair of the subscription. */
  keys: ECDH
  /** Authentication secret of the subscription: 16 random bytes shared with the sender. */
  auth: Buffer
}

export interface EncryptedPush {
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const TAG = 16

/** Decrypts a message. @throws Error with the reason: the coding, a header, or the message itself */
export const decryptPush = ({ headers, body }: EncryptedPush, secrets: PushSecrets): Buffer => {
  const coding = headers['content-encoding']
  if (coding === 'aes128gcm') return decryptAes128gcm(body, secrets)
  if (coding === 'aesgcm') return decryptAesgcm(headers, body, secrets)
  throw new Error(`Content-Encoding ${coding} is neither aes128gcm nor aesgcm`)
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

const label = (text: string, ...rest: Buffer[]): Buffer => Buffer.concat([Buffer.from(`${text}\0`, 'latin1'), ...rest])

/**
 * Layout by RFC 8291 section 3.4 and RFC 8188: salt (16 bytes), record size (4), length of the key id (1), public key
 * of the sender, one record.
 */
const decryptAes128gcm = (body: Buffer, { keys, auth }: PushSecrets): Buffer => {
  if (body.length < 21 + 65 + TAG + 1) throw new Error('the body is shorter than an aes128gcm header and record')
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  if (body[20] !== 65) throw new Error(`the key id must be a P-256 point of 65 bytes, not ${body[20]}`)
  const sender = body.subarray(21, 86)
  const record = body.subarray(86)
  if (record.length > recordSize) throw new Error('more than one record')
  const info = label('WebPush: info', keys.getPublicKey(), sender)
  const secret = hkdf(keys.computeSecret(sender), auth, info, 32)
  const key = hkdf(secret, salt, label('Content-Encoding: aes128gcm'), 16)
  const nonce = hkdf(secret, salt, label('Content-Encoding: nonce'), 12)
  const padded = open(key, nonce, record)
  let end = padded.length - 1
  while (end >= 0 && padded[end] === 0) end--
  if (padded[end] !== 2) throw new Error('the last record does not end in the delimiter 0x02')
  return padded.subarray(0, end)
}

/** Layout by draft-ietf-webpush-encryption-04: salt and public key of the sender are in the headers Encryption and Crypto-Key. */
const decryptAesgcm = (headers: EncryptedPush['headers'], body: Buffer, { keys, auth }: PushSecrets): Buffer => {
  const salt = parameter(headers.encryption, 'salt', 'Encryption')
  const sender = parameter(headers['crypto-key'], 'dh', 'Crypto-Key')
  if (salt.length !== 16) throw new Error('the salt in Encryption is not 16 bytes')
  const receiver = keys.getPublicKey()
  const context = label('P-256', lengthOf(receiver), receiver, lengthOf(sender), sender)
  const secret = hkdf(keys.computeSecret(sender), auth, label('Content-Encoding: auth'), 32)
  const key = hkdf(secret, salt, label('Content-Encoding: aesgcm', context), 16)
  const nonce = hkdf(secret, salt, label('Content-Encoding: nonce', context), 12)
  const padded = open(key, nonce, body)
  const padding = padded.readUInt16BE(0)
  if (padded.subarray(2, 2 + padding).some((byte) => byte !== 0)) throw new Error('the padding is not zero')
  return padded.subarray(2 + padding)
}

const lengthOf = (key: Buffer): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(key.length)
  return length
}

const open = (key: Buffer, nonce: Buffer, sealed: Buffer): Buffer => {
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(sealed.subarray(-TAG))
  return Buffer.concat([cipher.update(sealed.subarray(0, -TAG)), cipher.final()])
}

/** A base64url parameter of `a=…;b=…` or `a=…,b=…`. Throws if it is missing. */
export const parameter = (header: string | string[] | undefined, name: string, headerName: string): Buffer => {
  const found = String(header ?? '')
    .split(/[;,]/)
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
  if (!found) throw new Error(`${headerName} has no ${name}`)
  return Buffer.from(found.slice(name.length + 1).replace(/^"|"$/g, ''), 'base64url')
}
