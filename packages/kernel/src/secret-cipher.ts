/**
 * Encrypts secrets that must be read again (AES-256-GCM). The encrypted secrets are stored in the database, and the
 * encryption key is not.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { type CommonConfig, derive } from './config.js'
import type { LogReason } from './throttled-warnings.js'

/** Result of `renew`: the text encrypted with the current key, or why there is none. */
export type Renewal =
  | { readonly state: 'renewed'; readonly encrypted: string }
  /** The text is already encrypted with the current key, in the current form. */
  | { readonly state: 'current' }
  | { readonly state: 'unreadable' }

export interface SecretCipher {
  /**
   * Encrypts a text. Returns `v1.<iv>.<tag>.<text>` in base64url. `about` is not stored, but decryption needs the same
   * value. So an encrypted text cannot be moved to another row.
   */
  encrypt(text: string, about: string): string
  /**
   * Decrypts a text with the current key, else with the previous one. Throws an UnreadableSecretError if the encrypted
   * text was changed, or if it was encrypted with another key or `about`.
   */
  decrypt(encrypted: string, about: string): string
  /** Decrypts a text like `decrypt`. Returns null instead of an error, and logs that a setting is missing. */
  decryptOrNull(encrypted: string, about: string): string | null
  /**
   * Encrypts a text again with the current key, unless it already is. Does not throw. Copies of one encrypted text stay
   * equal, because undo compares them.
   */
  renew(encrypted: string, about: string): Renewal
}

/** Keys of two times: the current one, and the one before if SECRET_KEY_BASE_PREVIOUS names its base. */
export type SecretKeyBases = Pick<CommonConfig, 'secretKeyBase'> & Partial<Pick<CommonConfig, 'secretKeyBasePrevious'>>

/** The log line names the settings, because the operator must set the previous one. */
const UNREADABLE = 'a stored secret is encrypted with neither SECRET_KEY_BASE nor SECRET_KEY_BASE_PREVIOUS'

export class UnreadableSecretError extends Error {
  override readonly name = 'unreadable-secret'
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
  if (version !== VERSION) throw new UnreadableSecretError('not an encrypted secret')
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

/** A result of `derive`, and the key of AES that is made from it. */
interface Key {
  text: string
  key: Buffer
}

const keyOf = (text: string): Key => ({ text, key: createHash('sha256').update(text).digest() })

const decryptWith = ({ text, key }: Key, encrypted: string, about: string): string => {
  const isOld = !encrypted.includes('.')
  const { iv, tag, body } = isOld ? partsOfOld(encrypted) : partsOf(encrypted)
  if (iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES || !body)
    throw new UnreadableSecretError('not an encrypted secret')
  // In the form until version 4.6.0, the key is the secret itself instead of a value derived from it.
  const decipher = createDecipheriv('aes-256-gcm', isOld ? Buffer.from(text, 'base64url') : key, iv)
  decipher.setAAD(Buffer.from(about)).setAuthTag(tag)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

/**
 * Creates the encryption with a key from `secret`, which is a result of `derive`. `previous` only decrypts. The texts
 * do not name their key, because processes of earlier releases read them, too. GCM shows which key is the right one.
 */
export const createSecretCipher = (
  secret: string,
  previous: string | null = null,
  report: LogReason = () => undefined,
): SecretCipher => {
  const current = keyOf(secret)
  const keys = previous === null ? [current] : [current, keyOf(previous)]
  const encryptWith = (iv: Buffer, text: string, about: string): string => {
    const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(about))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return [VERSION, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.')
  }
  /** An initialisation vector that differs for each encrypted text. It never encrypts two texts. */
  const ivOf = (encrypted: string, about: string): Buffer =>
    createHmac('sha256', current.key).update(`renew ${about} ${encrypted}`).digest().subarray(0, IV_BYTES)
  /** The text, and the position of its key: 0 is the current one. */
  const open = (encrypted: string, about: string): { text: string; index: number } => {
    for (const [index, key] of keys.entries())
      try {
        return { text: decryptWith(key, encrypted, about), index }
      } catch (error) {
        // A text in an unknown form is unreadable with every key.
        if (error instanceof UnreadableSecretError) throw error
      }
    throw new UnreadableSecretError(UNREADABLE)
  }
  const openOrNull = (encrypted: string, about: string) => {
    try {
      return open(encrypted, about)
    } catch {
      return null
    }
  }
  return {
    encrypt: (text, about) => encryptWith(randomBytes(IV_BYTES), text, about),
    decrypt: (encrypted, about) => open(encrypted, about).text,
    decryptOrNull(encrypted, about) {
      const opened = openOrNull(encrypted, about)
      if (opened === null) report(UNREADABLE, { about })
      return opened?.text ?? null
    },
    renew(encrypted, about) {
      const opened = openOrNull(encrypted, about)
      if (opened === null) return { state: 'unreadable' }
      if (opened.index === 0 && encrypted.includes('.')) return { state: 'current' }
      return { state: 'renewed', encrypted: encryptWith(ivOf(encrypted, about), opened.text, about) }
    },
  }
}

/** The secret for one purpose that was derived from SECRET_KEY_BASE_PREVIOUS; null without it. Use it only to read. */
export const derivePrevious = ({ secretKeyBasePrevious }: SecretKeyBases, purpose: string): string | null =>
  secretKeyBasePrevious ? derive({ secretKeyBase: secretKeyBasePrevious }, purpose) : null

/**
 * The encryption for one purpose, with keys derived from SECRET_KEY_BASE and, for decryption only,
 * SECRET_KEY_BASE_PREVIOUS. `report` logs that a secret is unreadable.
 */
export const secretCipherFor = (bases: SecretKeyBases, purpose: string, report?: LogReason): SecretCipher =>
  createSecretCipher(derive(bases, purpose), derivePrevious(bases, purpose), report)
