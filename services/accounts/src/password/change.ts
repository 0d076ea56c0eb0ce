/** Changes a password: stores the digest, ends all access, and sends an e-mail. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { commonPasswords, publicNames } from '../core/credential/common-passwords.js'
import { passwordProblems } from '../core/credential/rules.js'
import { logCredentialChange } from '../core/credential/security-log.js'
import { refuseIfAny } from '../core/problem.rules.js'
import { setPasswordHash } from '../core/user/store.js'
import { cancelEmailChange } from '../email/index.js'
import { type Addressee, dropLinks, writeMail } from '../mail/index.js'
import { endAccess } from '../oauth/index.js'
import { deleteUnconfirmedCode } from '../second-factor/index.js'

/** Returns the digest of a new password. Throws if the password is not accepted. */
export const chosenPassword = async (
  ctx: Pick<Context, 'passwords' | 'site'>,
  username: string,
  password: string,
): Promise<string> => {
  refuseIfAny(passwordProblems(password, { common: await commonPasswords(), near: publicNames(ctx, username) }))
  return ctx.passwords.hash(password)
}

export const changePassword = async (
  ctx: Pick<Context, 'announce' | 'clock' | 'invalidations' | 'ids' | 'log' | 'nc' | 'tokens'>,
  tx: Tx,
  user: Addressee & { account_id: string },
  hash: string | null,
  by: 'self' | 'link' | 'staff',
  keptSession: string | null = null,
): Promise<void> => {
  await setPasswordHash(tx, user.user_id, hash)
  logCredentialChange(ctx, tx, user.user_id, { message: 'a password was changed', by })
  await dropLinks(tx, user.user_id, ['reset'])
  // An earlier holder of the password may have begun these changes.
  await cancelEmailChange(tx, user.user_id)
  await deleteUnconfirmedCode(tx, user.user_id)
  await endAccess(ctx, tx, user, keptSession)
  if (hash !== null) await writeMail(ctx, tx, user, 'password-changed')
}
