/** The address of who is signed in, and the one that waits. */
import { emailState } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { emailOfUser } from '../../store/email.js'
import { signedIn } from '../../views/signed-in.js'

export const showEmailState = handle(emailState, async (ctx, _viewer, { session }) => {
  const person = await emailOfUser(ctx.db, (await signedIn(ctx, session)).user_id)
  if (!person) throw notFound()
  return { email: person.email, unconfirmed: person.unconfirmed_email, confirmed: person.confirmed }
})
