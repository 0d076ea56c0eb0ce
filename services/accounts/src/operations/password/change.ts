/** Changes the password of who is signed in; the session goes on under a fresh value, every other one ends (A100). */
import { passwordChange } from '@murmuration/contracts/accounts'
import { changePassword, chosenPassword } from '../../changes/password.js'
import { problem, refusalOf } from '../../domain/problem.js'
import { handle } from '../../doors.js'
import { renewSession } from '../../store/session.js'
import { signedIn } from '../../views/signed-in.js'

export const changeOwnPassword = handle(passwordChange, async (ctx, _viewer, { session, current, password }) => {
  const person = await signedIn(ctx, session)
  if (!(await ctx.passwords.matches(person.password_hash, current)))
    throw refusalOf([problem('current_password', 'ERR_INVALID', 'is invalid')])
  const digest = await chosenPassword(ctx, person.username, password)
  const fresh = ctx.tokens.random()
  await ctx.db.tx(async (tx) => {
    await changePassword(ctx, tx, person, digest, 'self', person.session_id)
    await renewSession(tx, person.session_id, ctx.tokens.digest(fresh))
  })
  return { session: fresh }
})
