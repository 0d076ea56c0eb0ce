/** Takes away the second factors of somebody who lost them, for an operator. */
import { secondFactorRemoveByOperator } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { writeLetter } from '../../changes/letter.js'
import { removeFactors } from '../../changes/second-factor.js'
import { handle } from '../../doors.js'
import { deleteOtherSessions } from '../../store/session.js'
import { personByUsername } from '../../store/user.js'

export const removeSecondFactorByOperator = handle(secondFactorRemoveByOperator, async (ctx, _viewer, input) => {
  const username = input.username.trim().replace(/^@/, '')
  const person = await personByUsername(ctx.db, username)
  if (!person) throw notFound(`There is no account named ${username}`)
  const removed = await ctx.db.tx(async (tx) => {
    if (!(await removeFactors(ctx, tx, person.user_id, 'operator'))) return false
    await deleteOtherSessions(tx, person.user_id, null)
    await writeLetter(ctx, tx, person, 'second-factor-disabled')
    return true
  })
  return { removed }
})
