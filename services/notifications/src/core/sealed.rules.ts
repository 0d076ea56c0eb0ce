/** Texts that only this server may read back: sealed with AES-256-GCM, bound to what they belong to. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const NONCE = 12
const TAG = 16

/** 32 bytes, from a secret as `derive` gives it. */
const keyOf = (secret: string): Buffer => Buffer.from(secret, 'base64url')

/** Seals a text. `owner` is not stored: opening with another one fails. */
export const seal = (secret: string, text: string, owner: string): string => {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** The text, or null when it was sealed with another key, for another owner, or was changed. */
export const unseal = (secret: string, sealed: string, owner: string): string | null => {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE + TAG) return null
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, NONCE))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
