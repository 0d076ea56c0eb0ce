/** Whether the address of the viewer is confirmed. */
import { emailCheck } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { emailOfUser } from '../../store/email.js'

export const checkEmail = handle(emailCheck, async (ctx, viewer) => {
  const person = viewer && (await emailOfUser(ctx.db, viewer.userId))
  if (!person) throw fail('unauthenticated', 'This method requires an authenticated user')
  return person.confirmed
})
