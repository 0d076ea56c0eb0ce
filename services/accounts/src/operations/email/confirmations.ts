/** Sends the confirmation mail again, for the app that signed the person up; to another address when one is given (S-125). */
import { emailConfirmations } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { askForEmail, sendConfirmation } from '../../changes/email.js'
import { newAddress, orTaken } from '../../changes/new-address.js'
import { handle } from '../../doors.js'
import { emailOfUser } from '../../store/email.js'

const WRONG_APP = 'This method is only available to the application the user originally signed-up with'
const NOTHING = 'This method is only available while the e-mail is awaiting confirmation'

export const resendForApp = handle(emailConfirmations, async (ctx, viewer, { email }, { caller }) => {
  const person = await emailOfUser(ctx.db, viewer.userId)
  if (!person?.application_id || person.application_id !== caller?.app?.id) throw fail('forbidden', WRONG_APP)
  if (person.confirmed && !person.unconfirmed_email) throw fail('forbidden', NOTHING)
  const other = await newAddress(ctx, person, email ?? '')
  await orTaken(ctx.db.tx((tx) => (other ? askForEmail(ctx, tx, person, other) : sendConfirmation(ctx, tx, person))))
  return {}
})
