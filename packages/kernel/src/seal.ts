/** Seals secrets that must be read again: encrypted (AES-256-GCM) in the database, with a key that is not in it. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

export interface Seal {
  /** `v1.<iv>.<tag>.<text>` in base64url; `about` binds it to its place, so that rows cannot be swapped. */
  close(text: string, about: string): string
  /** The text again; throws when anything was changed. */
  open(sealed: string, about: string): string
}

const VERSION = 'v1'

export const createSeal = (secret: string): Seal => {
  const key = createHash('sha256').update(secret).digest()
  return {
    close(text, about) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [VERSION, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.')
    },
    open(sealed, about) {
      const [version, ...parts] = sealed.split('.')
      const [iv, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'))
      if (version !== VERSION || !iv || !tag || !body || tag.length !== 16) throw new Error('not a sealed secret')
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about)).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
