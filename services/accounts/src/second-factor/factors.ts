/** Reads the second factors of a user. */
import type { Reader } from '@murmuration/db'
import type { Context } from '../context.js'
import { oneTimeCodeOf } from './one-time-code.store.js'
import type { RelyingParty } from './passkeys.js'
import { type SecurityKeyRow, securityKeysOf } from './security-key.store.js'

export interface Factors {
  /** Encrypted secret of the authenticator app; null if the user has none. */
  readonly codes: string | null
  readonly keys: readonly SecurityKeyRow[]
}

/** Second factors in use. Null if the password alone is enough to sign in. */
export const factorsOf = async (db: Reader, userId: string): Promise<Factors | null> => {
  const [codes, keys] = await Promise.all([oneTimeCodeOf(db, userId), securityKeysOf(db, userId)])
  const encrypted = codes?.confirmed_at ? codes.encrypted_secret : null
  return encrypted === null && keys.length === 0 ? null : { codes: encrypted, keys }
}

/** Context of the encryption of an authenticator secret. A secret cannot be decrypted with the context of another user. */
export const codeContext = (userId: string): string => `one-time code ${userId}`

export const relyingParty = ({ site, policy }: Pick<Context, 'site' | 'policy'>): RelyingParty => ({
  name: policy.settings().site_title,
  origin: site.origin,
})
