/** Sets a new password by the link that was sent; a second factor stays as it is (D009). */
import { passwordReset } from '@murmuration/contracts/accounts'
import { changePassword, chosenPassword } from '../../changes/password.js'
import { handle } from '../../doors.js'
import { linkHolder, takeLink } from '../../store/mail-link.js'
import { personByUserId } from '../../store/user.js'

export const resetPassword = handle(passwordReset, async (ctx, _viewer, { token, password }) => {
  const hash = ctx.tokens.digest(token)
  // Looked at before it is taken, so that a password that may not be one does not cost the link.
  const userId = await linkHolder(ctx.db, hash, 'reset', ctx.clock.date())
  const person = userId === null ? null : await personByUserId(ctx.db, userId)
  if (!person) return { state: 'used' as const }
  const digest = await chosenPassword(ctx, person.username, password)
  return ctx.db.tx(async (tx) => {
    if (!(await takeLink(tx, hash, 'reset', ctx.clock.date()))) return { state: 'used' as const }
    await changePassword(ctx, tx, person, digest, 'link')
    return { state: 'changed' as const }
  })
})
