/** A first code of an app: from now on signing in asks for one. */
import { oneTimeCodeConfirm } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { firstBackupCodes } from '../../changes/backup-codes.js'
import { writeLetter } from '../../changes/letter.js'
import { tellCredential } from '../../changes/security-log.js'
import { handle } from '../../doors.js'
import { stepOfCode } from '../../secrets/one-time-codes.js'
import { confirmOneTimeCode, oneTimeCodeOf } from '../../store/one-time-code.js'
import { deleteOtherSessions } from '../../store/session.js'
import { codePlace } from '../../views/second-factor.js'
import { signedIn } from '../../views/signed-in.js'

const wrong = () =>
  fail('unprocessable', 'The code is not right. Wait for the next one, and see that the clock of your device is.')

export const confirmCodes = handle(oneTimeCodeConfirm, async (ctx, _viewer, { session, code }) => {
  const person = await signedIn(ctx, session)
  const begun = await oneTimeCodeOf(ctx.db, person.user_id)
  if (!begun || begun.confirmed_at) throw fail('unprocessable', 'No app is being set up; begin again.')
  const step = stepOfCode(ctx.seal.open(begun.secret_sealed, codePlace(person.user_id)), code, ctx.clock.now())
  if (step === null) throw wrong()
  const backupCodes = await ctx.db.tx(async (tx) => {
    if (!(await confirmOneTimeCode(tx, person.user_id, step, ctx.clock.date()))) throw wrong()
    // Whoever was signed in by the password alone has to come again.
    await deleteOtherSessions(tx, person.user_id, person.session_id)
    tellCredential(ctx, tx, person.user_id, { message: 'a second factor was added', kind: 'app' })
    await writeLetter(ctx, tx, person, 'second-factor-enabled')
    return firstBackupCodes(ctx, tx, person.user_id)
  })
  return { backupCodes }
})
