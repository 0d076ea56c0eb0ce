/**
 * Writes log lines about changed credentials (D071). The lines name the user and the kind of change, contain no secret,
 * and are written after the commit.
 */
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'

export type CredentialChange =
  | { message: 'a second factor was added'; kind: 'app' | 'key' }
  /** Kind `key`: one security key was removed. Kind `all`: all second factors of the user were removed. */
  | { message: 'a second factor was removed'; kind: 'key' | 'all'; by: 'self' | 'staff' | 'operator' }
  | { message: 'backup codes were made' }
  /** `self`: changed with the old password. `link`: with a link from an e-mail. `staff`: removed by staff. */
  | { message: 'a password was changed'; by: 'self' | 'link' | 'staff' }
  | { message: 'an e-mail address was changed' }
  /** `provider`: name of the external provider, with which the user can now sign in, or no longer. */
  | { message: 'a provider was linked' | 'a provider was removed'; provider: string }

export const logCredentialChange = (
  { log }: Pick<Context, 'log'>,
  tx: Tx,
  userId: string,
  { message, ...fields }: CredentialChange,
): void => tx.onCommit(() => log.info({ userId, ...fields }, message))
