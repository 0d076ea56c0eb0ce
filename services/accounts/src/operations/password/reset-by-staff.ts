/** Takes a password away: everything that stood on it ends, and a link for a new one is sent, or an operator is told a new one (A092). */
import { passwordResetByStaff } from '@murmuration/contracts/accounts'
import { writeLetter } from '../../changes/letter.js'
import { changePassword } from '../../changes/password.js'
import { handle } from '../../doors.js'
import { personByAccountId, personByUsername } from '../../store/user.js'

export const resetPasswordByStaff = handle(passwordResetByStaff, async (ctx, _viewer, { id, username, tell }) => {
  const person = id
    ? await personByAccountId(ctx.db, id)
    : await personByUsername(ctx.db, (username ?? '').trim().replace(/^@/, ''))
  if (!person) return { changed: false, password: null }
  const password = tell ? ctx.tokens.random() : null
  const digest = password === null ? null : await ctx.passwords.hash(password)
  await ctx.db.tx(async (tx) => {
    await changePassword(ctx, tx, person, digest, 'staff')
    if (!tell) await writeLetter(ctx, tx, person, 'password-reset')
  })
  return { changed: true, password }
})
