/**
 * Encrypts secrets that must be read again (AES-256-GCM). The encrypted secrets are stored in the database, and the
 * encryption key is not.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

export interface SecretCipher {
  /**
   * Encrypts a text. Returns `v1.<iv>.<tag>.<text>` in base64url. `about` is not stored, but decryption needs the same
   * value. So an encrypted text cannot be moved to another row.
   */
  encrypt(text: string, about: string): string
  /** Decrypts a text. Throws if the encrypted text was changed, or if it was encrypted with another key or `about`. */
  decrypt(encrypted: string, about: string): string
}

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Parts of an encrypted text: initialisation vector, tag and text. */
interface Parts {
  iv: Buffer | undefined
  tag: Buffer | undefined
  body: Buffer | undefined
}

const partsOf = (encrypted: string): Parts => {
  const [version, ...parts] = encrypted.split('.')
  const [iv, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (version !== VERSION) throw new Error('not an encrypted secret')
  return { iv, tag, body }
}

/**
 * Parts of an encrypted text in the form until version 4.6.0, in which initialisation vector, tag and text are one
 * value.
 */
const partsOfOld = (encrypted: string): Parts => {
  const bytes = Buffer.from(encrypted, 'base64url')
  const end = IV_BYTES + TAG_BYTES
  return { iv: bytes.subarray(0, IV_BYTES), tag: bytes.subarray(IV_BYTES, end), body: bytes.subarray(end) }
}

/** Creates the encryption with a key from `secret`, which is a result of `derive`. */
export const createSecretCipher = (secret: string): SecretCipher => {
  const key = createHash('sha256').update(secret).digest()
  return {
    encrypt(text, about) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [VERSION, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.')
    },
    decrypt(encrypted, about) {
      const isOld = !encrypted.includes('.')
      const { iv, tag, body } = isOld ? partsOfOld(encrypted) : partsOf(encrypted)
      if (iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES || !body) throw new Error('not an encrypted secret')
      // In the form until version 4.6.0, the key is the secret itself instead of a value derived from it.
      const decipher = createDecipheriv('aes-256-gcm', isOld ? Buffer.from(secret, 'base64url') : key, iv)
      decipher.setAAD(Buffer.from(about)).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
