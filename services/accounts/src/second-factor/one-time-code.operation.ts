/** Handlers that set up an authenticator app. */
import { beginOneTimeCode, confirmOneTimeCode as confirmOneTimeCodeOperation } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { logCredentialChange } from '../core/credential/security-log.js'
import { lockSignedIn, requirePassword, signedIn } from '../core/session/signed-in.js'
import { deleteOtherSessions } from '../core/session/store.js'
import { handle } from '../handlers.js'
import { writeMail } from '../mail/index.js'
import { firstBackupCodes } from './backup-codes.js'
import { codeContext } from './factors.js'
import { confirmOneTimeCode, oneTimeCodeOf, putOneTimeCode } from './one-time-code.store.js'
import { codeAddressOf, newCodeSecret, stepOfCode } from './one-time-codes.js'

/** Creates the secret of an authenticator app. */
export const begin = handle(beginOneTimeCode, async (ctx, _viewer, { session, password }) => {
  const user = await signedIn(ctx, session)
  await requirePassword(ctx, user, password)
  const secret = newCodeSecret()
  const encrypted = ctx.secretCipher.encrypt(secret, codeContext(user.user_id))
  const isStored = await ctx.db.tx(async (tx) => {
    await lockSignedIn(ctx, tx, session, user)
    return putOneTimeCode(tx, user.user_id, encrypted, ctx.clock.date())
  })
  if (!isStored) throw fail('conflict', 'There is an app already; turn it off first.')
  return { secret, address: codeAddressOf(secret, { issuer: ctx.site.localDomain, label: user.username }) }
})

const wrong = () =>
  fail('unprocessable', 'The code is not right. Wait for the next one, and see that the clock of your device is.')

/** Confirms an authenticator app with its first code. From now on, a sign-in requires a code. */
export const confirmCodes = handle(confirmOneTimeCodeOperation, async (ctx, _viewer, { session, code }) => {
  const user = await signedIn(ctx, session)
  const begun = await oneTimeCodeOf(ctx.db, user.user_id)
  const encrypted = begun && !begun.confirmed_at ? begun.encrypted_secret : null
  const secret = encrypted && ctx.secretCipher.decryptOrNull(encrypted, codeContext(user.user_id))
  if (!encrypted || !secret)
    throw fail('unprocessable', 'The setup of the authenticator app has expired. Please start again.')
  const step = stepOfCode(secret, code, ctx.clock.now())
  if (step === null) throw wrong()
  const backupCodes = await ctx.db.tx(async (tx) => {
    // Without the lock, a sign-in that read no second factor could begin its session after the other sessions are deleted.
    await lockSignedIn(ctx, tx, session, user)
    if (!(await confirmOneTimeCode(tx, user.user_id, { encrypted, step }, ctx.clock.date()))) throw wrong()
    // Other browser sessions of the user end, because they began with the password alone.
    await deleteOtherSessions(tx, user.user_id, user.session_id)
    logCredentialChange(ctx, tx, user.user_id, { message: 'a second factor was added', kind: 'app' })
    await writeMail(ctx, tx, user, 'second-factor-enabled')
    return firstBackupCodes(ctx, tx, user.user_id)
  })
  return { backupCodes }
})
