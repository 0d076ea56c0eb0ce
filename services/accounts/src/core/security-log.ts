/** Log lines about changed credentials (D071): the account and the kind, after the commit, and no secret. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'

export type CredentialChange =
  | { message: 'a second factor was added'; kind: 'app' | 'key' }
  /** All of them go at once, unless it is one key. */
  | { message: 'a second factor was removed'; kind: 'key' | 'all'; by: 'self' | 'staff' | 'operator' }
  | { message: 'backup codes were made' }
  /** By the old one, by a link that was sent, or taken away by staff. */
  | { message: 'a password was changed'; by: 'self' | 'link' | 'staff' }
  | { message: 'an e-mail address was changed' }

export const logCredentialChange = (
  { log }: Pick<Context, 'log'>,
  tx: Tx,
  userId: string,
  { message, ...facts }: CredentialChange,
): void => tx.onCommit(() => log.info({ userId, ...facts }, message))
