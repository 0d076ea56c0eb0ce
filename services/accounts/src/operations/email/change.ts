/** Asks for another address; who is confirmed proves first that it is them (D009). */
import { emailChange } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { askForEmail, sendConfirmation } from '../../changes/email.js'
import { newAddress, orTaken } from '../../changes/new-address.js'
import { handle } from '../../doors.js'
import { emailOfUser } from '../../store/email.js'
import { mustProve, signedIn } from '../../views/signed-in.js'

export const changeEmail = handle(emailChange, async (ctx, _viewer, { session, email, password }) => {
  const browser = await signedIn(ctx, session)
  const person = await emailOfUser(ctx.db, browser.user_id)
  if (!person) throw notFound()
  if (person.confirmed) await mustProve(ctx, browser, password ?? '')
  const other = await newAddress(ctx, person, email)
  if (!other && person.confirmed) return { state: 'same' as const }
  await orTaken(ctx.db.tx((tx) => (other ? askForEmail(ctx, tx, person, other) : sendConfirmation(ctx, tx, person))))
  return { state: 'sent' as const }
})
