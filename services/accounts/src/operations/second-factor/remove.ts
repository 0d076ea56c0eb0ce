/** Takes away all second factors of who is signed in. */
import { secondFactorRemove } from '@murmuration/contracts/accounts'
import { writeLetter } from '../../changes/letter.js'
import { removeFactors } from '../../changes/second-factor.js'
import { handle } from '../../doors.js'
import { deleteOtherSessions } from '../../store/session.js'
import { mustProve, signedIn } from '../../views/signed-in.js'

export const removeSecondFactor = handle(secondFactorRemove, async (ctx, _viewer, { session, password }) => {
  const person = await signedIn(ctx, session)
  await mustProve(ctx, person, password)
  await ctx.db.tx(async (tx) => {
    if (!(await removeFactors(ctx, tx, person.user_id, 'self'))) return
    await deleteOtherSessions(tx, person.user_id, person.session_id)
    await writeLetter(ctx, tx, person, 'second-factor-disabled')
  })
  return {}
})
