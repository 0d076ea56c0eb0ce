/** Handler that creates ten new backup codes for the signed-in user. */
import { renewBackupCode } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { lockSignedIn, requirePassword, signedIn } from '../core/session/signed-in.js'
import { handle } from '../handlers.js'
import { writeMail } from '../mail/index.js'
import { renewBackupCodes } from './backup-codes.js'
import { factorsOf } from './factors.js'

export const renewCodes = handle(renewBackupCode, async (ctx, _viewer, { session, password }) => {
  const user = await signedIn(ctx, session)
  await requirePassword(ctx, user, password)
  const backupCodes = await ctx.db.tx(async (tx) => {
    await lockSignedIn(ctx, tx, session, user)
    if (!(await factorsOf(tx, user.user_id)))
      throw fail('unprocessable', 'Add a second factor before you create backup codes.')
    await writeMail(ctx, tx, user, 'recovery-codes-renewed')
    return renewBackupCodes(ctx, tx, user.user_id)
  })
  return { backupCodes }
})
